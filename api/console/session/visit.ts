import { type Language, languages } from '#contract/enums.ts';
import { findSession, type SignedIn } from '#services/members/sessions.ts';
import type { ClientAddress } from '../../client-address.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { preferredLanguage } from '../../pages/preferred-language.ts';
import type { Asked } from '../../refusal-pages.ts';
import type { ApiContext } from '../../state.ts';
import type { ConsoleContext } from '../request.ts';
import { consoleCookie } from './cookie.ts';
import { type FormPurpose, type FormTokens, formTokens } from './form-token.ts';
import { browserMarks } from './known-browser.ts';

/** What all pages of one console share. */
export type Site = {
  ctx: ConsoleContext;
  tokens: FormTokens;
  cookie: () => ReturnType<typeof consoleCookie>;
  marks: () => ReturnType<typeof browserMarks>;
  addressOf: ClientAddress;
  /** The address of the console, without a trailing slash. */
  url: () => string;
};

export const siteOf = (ctx: ConsoleContext, { addressOf, url }: Pick<Site, 'addressOf' | 'url'>): Site => ({
  ctx,
  tokens: formTokens(ctx.secrets, () => ctx.clock.now()),
  cookie: () => consoleCookie(url().startsWith('https:')),
  marks: () => browserMarks(ctx.secrets, () => ctx.clock.now(), url().startsWith('https:')),
  addressOf,
  url,
});

/** What is known of a browser before its page runs. */
export type Visit = { cookie: string; member: SignedIn | undefined; language: Language };

/** Finds out who is signed in in this browser. */
export async function visitOf({ ctx, cookie }: Site, koa: ApiContext): Promise<Visit> {
  const value = cookie().read(koa);
  const member = value === '' ? undefined : await findSession(ctx, value);
  if (member !== undefined) koa.state.memberId = member.memberId;
  return { cookie: value, member, language: member?.language ?? languageOf(koa) };
}

/** A visit of which nothing is known but its cookie and its language. */
export const visitWithoutMember = ({ cookie }: Site, koa: ApiContext): Visit => ({
  cookie: cookie().read(koa),
  member: undefined,
  language: languageOf(koa),
});

const languageOf = (koa: ApiContext): Language => languageAsked(koa.req);

/** The language of a page before the sign-in: the one in the address, else the one that the browser prefers. */
export function languageAsked({ url = '', headers }: Asked): Language {
  const asked = new URLSearchParams(url.split('?')[1]).get('lang');
  const preferred = preferredLanguage(languages, headers['accept-language']);
  return languages.find((language) => language === asked) ?? preferred ?? 'en';
}

/** The hidden field that every form needs. */
export const tokenField = ({ tokens }: Site, cookie: string, purpose?: FormPurpose): Markup =>
  html`<input type="hidden" name="token" value=${tokens.make(cookie, purpose)} />`;
