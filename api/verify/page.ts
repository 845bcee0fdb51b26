import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Language } from '#contract/enums.ts';
import { asDocument, type Markup } from '../pages/markup.ts';
import { texts } from './texts.ts';

export type Page = {
  language: Language;
  title: string;
  body: Markup;
  /** The same page in the other language. Absent on pages of errors and of unknown links. */
  otherLanguage?: { to: string; language: Language };
  sandbox?: boolean;
  /** The text of a fault, shown above the text of the page. */
  fault?: string | undefined;
  /** True if the script of the page requests the page every few seconds until there is a next step. */
  refreshes?: boolean | undefined;
};

/** Allows our own origin only, and no frames. `blob:` allows a photo that is shown before it is sent. */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** All links are relative, so the service may be served below any path. `base` is the path from the page to /verify/. */
export function render(base: string, page: Page): string {
  const { language, title, body, otherLanguage, sandbox, fault, refreshes } = page;
  const text = texts[language];
  const document = html`
    <html lang=${language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${fault === undefined ? title : `${text.wrong}: ${title}`}</title>
        <link rel="icon" href=${`${base}../docs/icon.svg`} />
        <link rel="stylesheet" href=${`${base}assets/pico.css`} />
        <link rel="stylesheet" href=${`${base}assets/flow.css`} />
        <script src=${`${base}assets/flow.js`} defer></script>
      </head>
      <body>
        ${sandbox ? html`<aside>${text.sandbox}</aside>` : null}
        <main aria-live=${refreshes ? 'polite' : undefined} data-refreshes=${refreshes}>
          <h1>${title}</h1>
          ${fault === undefined ? null : html`<p role="alert" id="fault">${fault}</p>`}
          ${body}
        </main>
        ${otherLanguage === undefined ? null : html`<footer><a href=${otherLanguage.to} lang=${otherLanguage.language} hreflang=${otherLanguage.language}>${text.otherLanguage}</a></footer>`}
      </body>
    </html>
  ` as VNode;
  return asDocument(document);
}
