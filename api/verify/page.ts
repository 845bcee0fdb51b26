import { type Language, languages } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { accentSheetName } from '../pages/accent.ts';
import { languageSwitch, notice, type Progress, progress } from '../pages/components.ts';
import { icon } from '../pages/icons.ts';
import { html, type Markup } from '../pages/markup.ts';
import { shell } from '../pages/shell.ts';
import { aimOf } from './aim.ts';
import { addressOf } from './assets.ts';
import { contactLink } from './contact.ts';
import { type Texts, texts } from './texts/texts.ts';

/** The organisation that asks, as every page of its link shows it. */
export type Partner = Pick<
  Link,
  'organisation' | 'colour' | 'logo' | 'contact' | 'privacyUrl' | 'languages' | 'method'
>;

export type Page = {
  language: Language;
  title: string;
  body: Markup;
  /** Absent on the page of an unknown link. */
  partner?: Partner | undefined;
  progress?: Progress | undefined;
  /** What the page of the other language needs besides the language, to be the same page. */
  query?: Record<string, string> | undefined;
  /** What a page of sandbox says above everything else. */
  sandbox?: string | undefined;
  /** The text of a fault, shown above the text of the page. */
  fault?: string | undefined;
  /** True if the script of the page requests the page every few seconds until there is a next step. */
  refreshes?: boolean | undefined;
  /** True if the page answers a form. Its address then shows no page, so there is no link to the other language. */
  answersForm?: boolean | undefined;
  /** True if the page is only to be looked at: it runs no script, and nothing on it can be pressed. */
  isPreview?: boolean | undefined;
};

/** Allows our own origin only, and no frames. `blob:` allows a photo that is shown before it is sent. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
};

/** All links are relative, so the service may be served below any path. `base` is the path from the page to /verify/. */
export function render(base: string, page: Page): string {
  const { language, title, body, partner, sandbox, fault, refreshes, isPreview } = page;
  const text = texts[language];
  const accent = partner?.colour && accentSheetName(partner.colour);
  return shell(
    {
      language,
      title: fault === undefined ? title : `${text.wrong}: ${title}`,
      styles: [addressOf(base, 'style.css'), ...(accent ? [`${base}assets/${accent}`] : [])],
      scripts: isPreview ? [] : [addressOf(base, 'flow.js')],
      icon: addressOf(base, 'icon.svg'),
      className: 'hosted',
      isInert: isPreview,
    },
    html`
      ${sandbox === undefined ? null : html`<aside class="sandbox">${sandbox}</aside>`}
      <div class="sheet">
        ${top(base, page, text)}
        <main data-offline=${text.camera.sending.offline} data-later=${text.camera.sending.later} data-slow=${text.camera.sending.slow} aria-live=${refreshes ? 'polite' : undefined} data-refreshes=${refreshes}>
          ${page.progress && progress(page.progress, text.shell.step(page.progress))}
          <h1>${title}</h1>
          ${fault === undefined ? null : notice('fault', fault)}
          ${body}
        </main>
        ${bottom(partner, text)}
      </div>
    `,
  );
}

const top = (base: string, { partner, language, query, answersForm }: Page, text: Texts): Markup => {
  const other = answersForm ? undefined : (partner?.languages ?? languages).find((each) => each !== language);
  // An address of a query alone, so that the pages of all malformed links are the same bytes.
  const sameIn = (lang: Language) => `?${new URLSearchParams({ lang, ...query })}`;
  const logo = partner?.logo;
  return html`
    <header>
      <p class="partner">
        ${logo ? html`<img src=${`${base}logos/${logo}.png`} alt="" />` : icon('shield')}
        <span>${partner?.organisation ?? text.shell.service}</span>
      </p>
      ${other === undefined ? null : languageSwitch(sameIn(other), other, text.otherLanguage)}
    </header>
  `;
};

const bottom = (partner: Partner | undefined, { shell: words }: Texts): Markup =>
  html`
  <footer>
    <p>${partner === undefined ? words.service : words.serviceFor[aimOf(partner)](partner.organisation)}</p>
    ${partner?.contact ? html`<p>${words.questions} ${contactLink(partner.contact)}</p>` : null}
    ${partner?.privacyUrl ? html`<p><a href=${partner.privacyUrl} rel="noreferrer">${words.privacy(partner.organisation)}</a></p>` : null}
  </footer>
`;
