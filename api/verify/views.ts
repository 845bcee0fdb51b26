import { html } from 'htm/preact';
import type { EvidenceKind, Language } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { Markup } from '../pages/markup.ts';
import { aboutData, aboutOrganisation } from './information.ts';
import { type Page, render } from './page.ts';
import type { Fault, Texts } from './text-fields.ts';
import { texts } from './texts.ts';

export type PageLocation = {
  token: string;
  language: Language;
  /** The relative path from this request to /verify/. */
  base: string;
};

/** A request for a page. The page shows the current step, and never pictures that were sent before. */
export type PageRequest = PageLocation & {
  link: Link;
  /** The picture that the person chose to take or to replace. */
  wanted?: EvidenceKind | undefined;
  fault?: Fault | undefined;
};

type View = Pick<Page, 'title' | 'body' | 'refreshes'>;
type PageInput = PageRequest & { text: Texts };

export function showStep(request: PageRequest): string {
  const { link, language, base, fault } = request;
  const other = language === 'nl' ? 'en' : 'nl';
  const input = { ...request, text: texts[language] };
  const kind = pictureWanted(request);
  const view = kind === undefined ? views[link.step](input) : picture(input, kind);
  return render(base, {
    ...view,
    language,
    sandbox: link.environment === 'sandbox',
    fault: fault && input.text.faults[fault],
    otherLanguage: { to: here(request, other), language: other },
  });
}

export const showUnknown = ({ language, base }: PageLocation): string => {
  const { title, text } = texts[language].unknown;
  return render(base, { language, title, body: paragraph(text) });
};

/** The page of a failed request, with a link back to the flow. */
export const showTrouble = (location: PageLocation, which: 'tooOften' | 'away' | 'other'): string => {
  const { trouble } = texts[location.language];
  return render(location.base, {
    language: location.language,
    title: trouble.title,
    body: html`<p>${trouble[which]}</p><p><a href=${here(location)}>${trouble.back}</a></p>`,
  });
};

/** The token is encoded, since on an error page it can be any text that the caller sent. */
const here = ({ base, token, language }: PageLocation, spoken = language) =>
  `${base}${encodeURIComponent(token)}?lang=${spoken}`;
const to = ({ base, token, language }: PageLocation, action: string, rest = '') =>
  `${base}${encodeURIComponent(token)}/${action}?lang=${language}${rest}`;

const paragraph = (text: string): Markup => html`<p>${text}</p>`;

const takingSteps: readonly Link['step'][] = ['document', 'card_back', 'selfie', 'confirm'];

/** The picture that the person chose instead of the current step, for example to use another document or to replace a picture. */
const pictureWanted = ({ link: { step }, wanted }: PageRequest): Exclude<EvidenceKind, 'bank'> | undefined =>
  takingSteps.includes(step) && wanted !== 'bank' ? wanted : undefined;

const views: Record<Link['step'], (input: PageInput) => View> = {
  welcome: (input) => {
    const { link, text, fault } = input;
    const { welcome } = text;
    return {
      title: welcome.title,
      body: html`
        <p>${welcome.asks(link.organisation)} ${welcome.need[link.method]} ${welcome.minutes}</p>
        ${aboutOrganisation(input)}
        ${aboutData(input)}
        <form method="post" action=${to(input, 'start')}>
          ${link.consents.map(
            (item) => html`
              <label>
                <input type="checkbox" name="consent" value=${item} required
                  aria-describedby=${fault && 'fault'} aria-invalid=${fault && 'true'} />
                ${welcome.consent[item](link.organisation)}
              </label>
            `,
          )}
          <button>${welcome.start}</button>
        </form>
        ${otherWay(input)}
        ${onPhone(input)}
      `,
    };
  },

  document: (input) => {
    const { document } = input.text;
    const choice = (kind: EvidenceKind, name: string) =>
      html`<li><a role="button" href=${`${here(input)}&take=${kind}`}>${name}</a></li>`;
    return {
      title: document.title,
      body: html`
        <p>${document.which}</p>
        <ul class="choices">
          ${choice('passport_page', document.passport)}
          ${choice('card_front', document.card)}
        </ul>
        ${onPhone(input)}
        ${stopping(input)}
      `,
    };
  },

  card_back: (input) => picture(input, 'card_back'),
  selfie: (input) => picture(input, 'selfie'),

  bank: (input) => {
    const { bank } = input.text;
    return {
      title: bank.title,
      body: html`<p>${bank.text}</p>${specimenForm(input, 'bank', bank.confirm)}`,
    };
  },

  confirm: (input) => {
    const { link, text } = input;
    const item = (kind: EvidenceKind) => {
      const name = text.confirm.received[kind];
      const again = html` · <a href=${`${here(input)}&take=${kind}`} aria-label=${`${text.confirm.again}: ${name}`}>${text.confirm.again}</a>`;
      return html`<li>${name}${kind === 'bank' ? null : again}</li>`;
    };
    return {
      title: text.confirm.title,
      body: html`
        <p>${text.confirm.text}</p>
        <ul>${link.received.map(item)}</ul>
        <form method="post" action=${to(input, 'submit')}><button>${text.confirm.send}</button></form>
        ${stopping(input)}
      `,
    };
  },

  checking: ({ text: { checking } }) => ({
    title: checking.title,
    body: paragraph(checking.text),
    refreshes: true,
  }),
  done: ({ text: { done }, link }) => endings[link.ending](done, link),
  expired: ({ text: { expired }, link }) => ({
    title: expired.title,
    body: paragraph(expired.text(link.organisation)),
  }),
  cancelled: ({ text: { cancelled }, link }) => {
    const { title, text } = link.withdrawnAt === null ? cancelled.byOrganisation : cancelled.byPerson;
    return { title, body: paragraph(text(link.organisation)) };
  },
  no_bank: ({ text: { noBank }, link }) => ({
    title: noBank.title,
    body: paragraph(noBank.text(link.organisation)),
  }),
};

type DoneTexts = Texts['done'];

const whomToAsk = (name: DoneTexts['contact'], { contact }: Link): Markup | null =>
  contact === null ? null : paragraph(name(contact));

const endings: Record<Link['ending'], (done: DoneTexts, link: Link) => View> = {
  plain: ({ title, text }) => ({ title, body: paragraph(text) }),
  rejected_by_machine: ({ byMachine, contact }, link) => ({
    title: byMachine.title,
    body: html`<p>${byMachine.text}</p><p>${byMachine.person(link.organisation)}</p>${whomToAsk(contact, link)}`,
  }),
  other_way: ({ otherWay: { title, text }, contact }, link) => ({
    title,
    body: html`<p>${text(link.organisation)}</p>${whomToAsk(contact, link)}`,
  }),
};

/** The file input offers the camera and photos on a phone, and a choice of files on other devices. */
function picture(input: PageInput, kind: Exclude<EvidenceKind, 'bank'>): View {
  const { link, text, fault } = input;
  const { title, hint } = text.picture[kind];
  return {
    title,
    body: html`
      <form method="post" enctype="multipart/form-data" action=${to(input, 'picture', `&kind=${kind}`)}>
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
      ${link.environment === 'sandbox' ? specimen(input, kind) : null}
      ${kind === 'selfie' ? null : html`<p><a href=${`${here(input)}&take=${otherDocument[kind]}`}>${text.document.other}</a></p>`}
      ${kind === 'selfie' ? otherWay(input) : null}
      ${onPhone(input)}
      ${stopping(input)}
    `,
  };
}

const otherDocument = {
  passport_page: 'card_front',
  card_front: 'passport_page',
  card_back: 'passport_page',
};

const specimen = (input: PageInput, kind: Exclude<EvidenceKind, 'bank'>): Markup => html`
  <figure>
    <img class="specimen" src=${`${input.base}assets/${kind}.svg`} alt="" />
    <figcaption>${input.text.picture.specimenShown}</figcaption>
  </figure>
  ${specimenForm(input, kind, input.text.picture.specimen)}
`;

const specimenForm = (input: PageInput, kind: EvidenceKind, button: string): Markup => html`
  <form method="post" action=${to(input, 'specimen', `&kind=${kind}`)}><button class="secondary">${button}</button></form>
`;

/** Two presses, because there is no way back. */
function otherWay(input: PageInput): Markup | null {
  const { link, text } = input;
  if (!link.mayDecline) return null;
  const { title, text: explained, button } = text.welcome.otherWay;
  return html`
    <details>
      <summary>${title}</summary>
      <p>${explained(link.organisation)}</p>
      <form method="post" action=${to(input, 'decline')}><button class="secondary">${button}</button></form>
    </details>
  `;
}

/** Shows the address for a phone. A second device needs only the link, so devices are not paired. */
const onPhone = (input: PageInput): Markup => html`
  <details class="on-phone">
    <summary>${input.text.welcome.onPhone}</summary>
    <p>${input.text.welcome.onPhoneText}</p>
    <img src=${to(input, 'phone.svg')} alt=${input.text.welcome.qr} width="200" height="200" loading="lazy" />
  </details>
`;

/** Two steps, so that nobody stops by accident. */
const stopping = (input: PageInput): Markup => html`
  <details class="stopping">
    <summary>${input.text.stop.title}</summary>
    <p>${input.text.stop.text(input.link.organisation)}</p>
    <form method="post" action=${to(input, 'withdraw')}><button class="secondary">${input.text.stop.button}</button></form>
  </details>
`;
