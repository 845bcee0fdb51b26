import type { EvidenceKind, Language } from '#contract/enums.ts';
import type { Link } from '#services/flow/find-link.ts';
import { help } from '../pages/components.ts';
import { html, type Markup } from '../pages/markup.ts';
import { handsIn } from './aim.ts';
import type { BrowserFamily } from './browser-family.ts';
import type { Page } from './page.ts';
import type { Fault } from './texts/faults.ts';
import type { Texts } from './texts/texts.ts';

export type PageLocation = {
  token: string;
  language: Language;
  /** The relative path from this request to /verify/. */
  base: string;
};

/** A request for a page. The page shows the current step, and never pictures that were sent before. */
export type PageRequest = PageLocation & {
  link: Link;
  /** The absolute address of the verification, for another device. */
  address: string;
  /** The picture that the person chose to take or to replace. */
  wanted?: EvidenceKind | undefined;
  /** True on a computer whose person goes on with the phone. */
  follows?: boolean | undefined;
  fault?: Fault | undefined;
  /** True if the page is only to be looked at. */
  isPreview?: boolean | undefined;
  /** For the words about a blocked camera. */
  browser?: BrowserFamily | undefined;
};

export type View = Pick<Page, 'title' | 'body' | 'refreshes'>;
export type PageInput = PageRequest & { text: Texts };

/** The token is encoded, since on an error page it can be any text that the caller sent. */
export const here = ({ base, token, language }: PageLocation, spoken = language) =>
  `${base}${encodeURIComponent(token)}?lang=${spoken}`;
export const to = ({ base, token, language }: PageLocation, action: string, rest = '') =>
  `${base}${encodeURIComponent(token)}/${action}?lang=${language}${rest}`;

/** The button of a sandbox page that hands in a specimen. */
export const specimenForm = (input: PageInput, kind: EvidenceKind, button: string): Markup => html`
  <form method="post" action=${to(input, 'specimen', `&kind=${kind}`)}><button class="secondary">${button}</button></form>
`;

/** Two presses, because there is no way back. */
export function otherWay(input: PageInput): Markup | null {
  const asks = askForOtherWay(input);
  return asks && html`${asks}${otherWayForm(input)}`;
}

/** The same inside another form. The form that it sends has to stand outside that one. */
export function askForOtherWay({ link, text }: PageInput): Markup | null {
  if (!link.mayDecline) return null;
  const { title, text: explained, button } = text.welcome.otherWay;
  return help(
    title,
    html`<p>${explained(link.organisation)}</p><button class="secondary" form="other-way">${button}</button>`,
  );
}

export const otherWayForm = (input: PageInput): Markup | null =>
  input.link.mayDecline
    ? html`<form id="other-way" method="post" action=${to(input, 'decline')}></form>`
    : null;

/** Two steps, so that nobody stops by accident. */
export function stopping(input: PageInput): Markup {
  const { title, text, button } = input.text.stop[handsIn(input.link)];
  return help(
    title,
    html`
      <p>${text(input.link.organisation)}</p>
      <form method="post" action=${to(input, 'withdraw')}><button class="secondary">${button}</button></form>
    `,
    'stopping',
  );
}

/** The one main button of a page. On a phone it stays at the bottom of the screen. */
export const action = (button: Markup): Markup => html`<div class="action">${button}</div>`;

/** The way back to the organisation, where it has named one. */
export const wayBack = (input: Pick<PageInput, 'link' | 'text'> & PageLocation): Markup | null =>
  input.link.returnTo === null
    ? null
    : action(
        html`<a class="button" href=${to(input, 'return')}>${input.text.shell.back(input.link.organisation)}</a>`,
      );
