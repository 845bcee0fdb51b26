import type { Language } from '#contract/enums.ts';
import type { SignedIn } from '#services/members/sessions.ts';
import { nameOf } from '../pages/assets.ts';
import { languageSwitch, notice } from '../pages/components.ts';
import { html, type Markup } from '../pages/markup.ts';
import { shell } from '../pages/shell.ts';
import { assets } from './assets.ts';
import { faultSummary } from './fault-summary.ts';
import type { View } from './request.ts';
import { placeOf } from './texts/members.ts';
import { type Notice, texts } from './texts/texts.ts';

type Loaded = Pick<View, 'hasPictures' | 'hasPreview'>;

/**
 * Allows our own origin only, no frames, and no script that is written into a page. Evidence is part of its page, because a picture of its
 * own address could stay in the browser.
 */
export const contentSecurityPolicy = ({ hasPictures, hasPreview }: Loaded = {}): string =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'${hasPictures ? ' data:' : ''}; connect-src 'self'; ` +
  `${hasPreview ? "frame-src 'self'; " : ''}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export type NavItem = {
  path: string;
  name: string;
  /** How much waits there. Undefined: nothing does, or nobody counts. */
  waiting?: string | undefined;
};

export type Frame = {
  language: Language;
  /** Undefined if nobody is signed in, or if the second factor is missing. */
  member: SignedIn | undefined;
  nav: readonly NavItem[];
  /** The path of this page, which the navigation marks. */
  path: string;
  token: Markup;
  notice?: Notice | undefined;
  /** The same page in the other language, for those who are not signed in. */
  otherLanguage?: string | undefined;
};

export function framed(frame: Frame, { title, body, isFaulty, isWide, hasPictures }: View): string {
  const { language, member, notice: message } = frame;
  const text = texts[language];
  return shell(
    {
      language,
      title: `${isFaulty ? `${text.wrong}: ` : ''}${title} · ${text.product}`,
      styles: [`/assets/${nameOf(assets, 'style.css')}`],
      scripts: ['console.js', ...(hasPictures ? ['viewer.js'] : [])].map(
        (name) => `/assets/${nameOf(assets, name)}`,
      ),
      icon: `/assets/${nameOf(assets, 'icon.svg')}`,
      className: member === undefined ? 'alone' : isWide ? 'framed wide' : 'framed',
    },
    html`
      <a class="skip" href="#main">${text.skip}</a>
      ${member === undefined ? null : header(frame, member)}
      <main id="main">
        ${member === undefined ? html`<p class="brand">${text.product}</p>` : null}
        <h1>${title}</h1>
        ${isFaulty ? faultSummary(body, text.wrong) : null}
        ${message === undefined ? null : notice('news', text.notices[message])}
        ${body}
      </main>
      ${frame.otherLanguage === undefined ? null : html`<footer>${languageSwitch(frame.otherLanguage, language === 'nl' ? 'en' : 'nl', text.otherLanguage)}</footer>`}
    `,
  );
}

/** On a narrow screen the button opens the menu. On a wide one the menu is always there, and so it is in a browser that knows no popover. */
const header = ({ language, nav, path, token }: Frame, member: SignedIn): Markup => {
  const text = texts[language];
  return html`
    <header>
      <p class="brand"><a href="/">${text.product}</a></p>
      <p class="organisation">${placeOf(language, member.organisation)}</p>
      <button class="quiet" popovertarget="menu">${text.menu}</button>
      <div id="menu" popover>
        <nav aria-label=${text.navigation}>
          <ul>
            ${nav.map(
              (item) =>
                html`<li><a href=${item.path} aria-current=${isHere(item.path, path) ? 'page' : undefined}>${item.name}${item.waiting === undefined ? null : html` <span class="count">${item.waiting}<span class="unseen"> ${text.waiting}</span></span>`}</a></li>`,
            )}
          </ul>
        </nav>
        <div class="who">
          <p>${member.email}<br /><small>${text.members.roles[member.role].name}</small></p>
          <form method="post" action="/sign-out">${token}<button class="quiet">${text.signOut}</button></form>
        </div>
      </div>
    </header>
  `;
};

const isHere = (item: string, path: string): boolean =>
  item === '/' ? path === '/' : path === item || path.startsWith(`${item}/`);
