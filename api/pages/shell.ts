import type { Language } from '#contract/enums.ts';
import { asDocument, html, type Markup } from './markup.ts';

export type Shell = {
  language: Language;
  /** The title of the window. */
  title: string;
  /** The addresses of style sheets and scripts, and of the icon. */
  styles: readonly string[];
  scripts: readonly string[];
  icon: string;
  className?: string | undefined;
  /** True if nothing on the page can be pressed or have the focus. */
  isInert?: boolean | undefined;
};

/** The document around every page of people. It loads nothing but the given files. */
export const shell = (
  { language, title, styles, scripts, icon, className, isInert }: Shell,
  body: Markup,
): string =>
  asDocument(
    html`
      <html lang=${language}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>${title}</title>
          <link rel="icon" href=${icon} />
          ${styles.map((address) => html`<link rel="stylesheet" href=${address} />`)}
          ${scripts.map((address) => html`<script type="module" src=${address}></script>`)}
        </head>
        <body class=${className} inert=${isInert}>${body}</body>
      </html>
    `,
  );
