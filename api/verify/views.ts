import { html } from 'htm/preact';
import type { EvidenceKind, Language } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { type Markup, type Page, render } from './page.ts';
import { type Fault, type Texts, texts } from './texts.ts';

export type Place = {
  token: string;
  language: Language;
  /** Leads from the path of this request to /verify/. */
  base: string;
};

/** One look at the page. It shows how far the person has come, and never anything that was handed in. */
export type Look = Place & {
  link: Link;
  /** What the person chose to take, or to take again. */
  wanted?: EvidenceKind | undefined;
  fault?: Fault | undefined;
};

type View = Pick<Page, 'title' | 'body' | 'looksAgain'>;
type Words = Look & { text: Texts };

/** The page of the step that the person has come to. */
export function showStep(look: Look): string {
  const { link, language, base, fault } = look;
  const other = language === 'nl' ? 'en' : 'nl';
  const words = { ...look, text: texts[language] };
  const kind = pictureWanted(look);
  const view = kind === undefined ? views[link.step](words) : picture(words, kind);
  return render(base, {
    ...view,
    language,
    sandbox: link.environment === 'sandbox',
    fault: fault && words.text.faults[fault],
    otherLanguage: { to: here(look, other), language: other },
  });
}

export const showUnknown = ({ language, base }: Place): string => {
  const { title, text } = texts[language].unknown;
  return render(base, { language, title, body: paragraph(text) });
};

/** A request that was not carried out, with the way back. */
export const showTrouble = (place: Place, which: 'tooOften' | 'away' | 'other'): string => {
  const { trouble } = texts[place.language];
  return render(place.base, {
    language: place.language,
    title: trouble.title,
    body: html`<p>${trouble[which]}</p><p><a href=${here(place)}>${trouble.back}</a></p>`,
  });
};

/** Encoded, for a token may be anything where the link could not be looked up. */
const here = ({ base, token, language }: Place, spoken = language) =>
  `${base}${encodeURIComponent(token)}?lang=${spoken}`;
const to = ({ base, token, language }: Place, action: string, rest = '') =>
  `${base}${encodeURIComponent(token)}/${action}?lang=${language}${rest}`;

const paragraph = (text: string): Markup => html`<p>${text}</p>`;

const takingSteps: readonly Link['step'][] = ['document', 'card_back', 'selfie', 'confirm'];

/** The picture that this page takes instead of what its step asks for: another document, or the same once more. */
const pictureWanted = ({ link: { step }, wanted }: Look): Exclude<EvidenceKind, 'bank'> | undefined =>
  takingSteps.includes(step) && wanted !== 'bank' ? wanted : undefined;

const views: Record<Link['step'], (words: Words) => View> = {
  welcome: (words) => {
    const { link, text, fault } = words;
    const { welcome } = text;
    return {
      title: welcome.title,
      body: html`
        <p>${welcome.asks(link.organisation)} ${welcome.need[link.method]} ${welcome.minutes}</p>
        <form method="post" action=${to(words, 'start')}>
          <label>
            <input type="checkbox" name="consent" value="yes" required
              aria-describedby=${fault && 'fault'} aria-invalid=${fault && 'true'} />
            ${welcome.consent[link.method](link.organisation)}
          </label>
          <button>${welcome.start}</button>
        </form>
        <details><summary>${welcome.privacyTitle}</summary><p>${welcome.privacy[link.method](link.organisation)}</p></details>
        ${onPhone(words)}
      `,
    };
  },

  document: (words) => {
    const { document } = words.text;
    const choice = (kind: EvidenceKind, name: string) =>
      html`<li><a role="button" href=${`${here(words)}&take=${kind}`}>${name}</a></li>`;
    return {
      title: document.title,
      body: html`
        <p>${document.which}</p>
        <ul class="choices">
          ${choice('passport_page', document.passport)}
          ${choice('card_front', document.card)}
        </ul>
        ${onPhone(words)}
      `,
    };
  },

  card_back: (words) => picture(words, 'card_back'),
  selfie: (words) => picture(words, 'selfie'),

  bank: (words) => {
    const { bank } = words.text;
    return {
      title: bank.title,
      body: html`<p>${bank.text}</p>${specimenForm(words, 'bank', bank.confirm)}`,
    };
  },

  confirm: (words) => {
    const { link, text } = words;
    const item = (kind: EvidenceKind) => {
      const name = text.confirm.received[kind];
      const again = html` · <a href=${`${here(words)}&take=${kind}`} aria-label=${`${text.confirm.again}: ${name}`}>${text.confirm.again}</a>`;
      return html`<li>${name}${kind === 'bank' ? null : again}</li>`;
    };
    return {
      title: text.confirm.title,
      body: html`
        <p>${text.confirm.text}</p>
        <ul>${link.received.map(item)}</ul>
        <form method="post" action=${to(words, 'submit')}><button>${text.confirm.send}</button></form>
      `,
    };
  },

  checking: ({ text: { checking } }) => ({
    title: checking.title,
    body: paragraph(checking.text),
    looksAgain: true,
  }),
  done: ({ text: { done } }) => ({ title: done.title, body: paragraph(done.text) }),
  expired: ({ text: { expired }, link }) => ({
    title: expired.title,
    body: paragraph(expired.text(link.organisation)),
  }),
  no_bank: ({ text: { noBank }, link }) => ({
    title: noBank.title,
    body: paragraph(noBank.text(link.organisation)),
  }),
};

/** A phone offers its camera or its photos; any other device a choice of files. */
function picture(words: Words, kind: Exclude<EvidenceKind, 'bank'>): View {
  const { link, text, fault } = words;
  const { title, hint } = text.picture[kind];
  return {
    title,
    body: html`
      <form method="post" enctype="multipart/form-data" action=${to(words, 'picture', `&kind=${kind}`)}>
        <p id="hint">${hint}</p>
        <label>
          ${text.picture.choose}
          <input type="file" name="picture" required accept="image/jpeg,image/png,image/webp"
            aria-describedby=${fault === undefined ? 'hint formats' : 'fault hint formats'}
            aria-invalid=${fault === undefined ? undefined : 'true'} />
        </label>
        <small id="formats">${text.picture.formats}</small>
        <img class="preview" alt="" hidden />
        <button data-sending=${text.picture.sending}>${text.picture.send}</button>
      </form>
      ${link.environment === 'sandbox' ? specimen(words, kind) : null}
      ${kind === 'selfie' ? null : html`<p><a href=${`${here(words)}&take=${otherDocument[kind]}`}>${text.document.other}</a></p>`}
      ${onPhone(words)}
    `,
  };
}

const otherDocument = {
  passport_page: 'card_front',
  card_front: 'passport_page',
  card_back: 'passport_page',
};

const specimen = (words: Words, kind: Exclude<EvidenceKind, 'bank'>): Markup => html`
  <figure>
    <img class="specimen" src=${`${words.base}assets/${kind}.svg`} alt="" />
    <figcaption>${words.text.picture.specimenShown}</figcaption>
  </figure>
  ${specimenForm(words, kind, words.text.picture.specimen)}
`;

const specimenForm = (words: Words, kind: EvidenceKind, button: string): Markup => html`
  <form method="post" action=${to(words, 'specimen', `&kind=${kind}`)}><button class="secondary">${button}</button></form>
`;

/** The link itself is what lets a second device join in, so there is nothing to pair. */
const onPhone = (words: Words): Markup => html`
  <details class="on-phone">
    <summary>${words.text.welcome.onPhone}</summary>
    <p>${words.text.welcome.onPhoneText}</p>
    <img src=${to(words, 'phone.svg')} alt=${words.text.welcome.qr} width="200" height="200" loading="lazy" />
  </details>
`;
