import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Language } from '#contract/enums.ts';
import { texts } from './texts.ts';

/** Made by `html`, so that values are escaped by construction. */
export type Markup = VNode | VNode[];

export type Page = {
  language: Language;
  title: string;
  body: Markup;
  /** The same page in the other language; none where a form was just sent. */
  otherLanguage?: { to: string; language: Language };
  sandbox?: boolean;
  /** What has to be read first. */
  fault?: string | undefined;
  /** Looks by itself whether things have moved on, where scripts run. */
  looksAgain?: boolean | undefined;
};

/** Everything comes from here, and nothing may frame it or be sent elsewhere. `blob:` is a photo shown before it is sent. */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** Paths are below /verify, wherever the service stands: `base` leads there from where the page is read. */
export function render(base: string, page: Page): string {
  const { language, title, body, otherLanguage, sandbox, fault, looksAgain } = page;
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
        <main aria-live=${looksAgain ? 'polite' : undefined} data-looks-again=${looksAgain}>
          <h1>${title}</h1>
          ${fault === undefined ? null : html`<p role="alert" id="fault">${fault}</p>`}
          ${body}
        </main>
        ${otherLanguage === undefined ? null : html`<footer><a href=${otherLanguage.to} lang=${otherLanguage.language} hreflang=${otherLanguage.language}>${text.otherLanguage}</a></footer>`}
      </body>
    </html>
  ` as VNode;
  return `<!doctype html>\n${renderToString(document)}\n`;
}
