import type { Middleware } from 'koa';
import { errors } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { type SignedIn, useForm } from '#services/members/sessions.ts';
import { bodyBytes } from '../middleware/body.ts';
import type { ApiContext, ApiState } from '../state.ts';
import type { Answer, ConsolePage, PageRequest } from './request.ts';
import { may } from './roles.ts';
import { answer, goTo, isRight, refuse } from './show.ts';
import { texts } from './texts.ts';
import { type Site, tokenField, type Visit, visitOf, visitWithoutMember } from './visit.ts';

/**
 * Turns a row of the table of pages into a handler. The rules about who may use a page are here: first whether somebody is signed in and
 * owes nothing, then the role, then the token of the form. Only then the page runs.
 */
export const servePage =
  (site: Site, page: ConsolePage): Middleware<ApiState> =>
  async (koa) => {
    const visit = await visitOf(site, koa);
    const { member } = visit;
    const elsewhere = detour(page, member);
    if (elsewhere !== undefined) return goTo(koa, elsewhere);
    if (member !== undefined && isRight(page.for) && !may(member.role, page.for))
      return refuse(site, koa, visit, 'forbidden');
    if (visit.cookie === '' && page.method === 'GET') visit.cookie = site.cookie().writeVisitor(koa);
    const form = page.method === 'POST' ? await formOf(site, koa, visit) : new URLSearchParams();
    if (typeof form === 'string') return refuse(site, koa, visit, form);
    await answer(site, koa, visit, await run(page, requestOf(site, koa, visit, form), member));
  };

async function run(page: ConsolePage, request: PageRequest, member: SignedIn | undefined): Promise<Answer> {
  if (page.for === 'anybody') return page.run({ ...request, member });
  if (member === undefined) return { to: '/sign-in' };
  return page.run({ ...request, member, actor: { kind: 'member', id: member.memberId } });
}

/** Answers every error with a page. */
export const errorsAsPages =
  (site: Site): Middleware<ApiState> =>
  async (koa, next) => {
    let visit = visitWithoutMember(site, koa);
    koa.state.errorBody = ({ code }) => {
      const { status } = errors[code];
      refuse(site, koa, visit, status === 404 || status === 405 ? 'notFound' : 'failed');
      koa.status = status;
      return koa.body as string;
    };
    await next();
    if (koa.body === undefined && koa.status === 404) visit = await visitOf(site, koa);
  };

/** Where somebody has to go before this page. Undefined if the page may run. */
function detour({ for: audience }: ConsolePage, member: SignedIn | undefined): string | undefined {
  if (audience === 'anybody') return undefined;
  if (member === undefined) return '/sign-in';
  if (audience === 'signed_in') return undefined;
  if (member.owes === 'code') return audience === 'code' ? undefined : '/sign-in/code';
  if (audience === 'code') return '/';
  if (member.owes === 'second_factor') return audience === 'setup' ? undefined : '/second-factor';
  return audience === 'setup' && member.hasSecondFactor ? '/account' : undefined;
}

/** Reads a form and uses up its token. Returns what is wrong with it otherwise. */
async function formOf(
  { ctx, tokens, url }: Site,
  koa: ApiContext,
  { cookie, member }: Visit,
): Promise<URLSearchParams | 'stale' | 'repeated'> {
  if (!isFromHere(koa, url())) return 'stale';
  const form = new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));
  const token = tokens.read(cookie, form.get('token'));
  if (token === undefined) return 'stale';
  if (member !== undefined && !(await useForm(ctx, member, token.nonce))) return 'repeated';
  form.delete('token');
  return form;
}

/**
 * A browser says where a form comes from. The host is compared as well as the configured address, since the console may be reached by
 * another name of this machine. Software that says nothing needs the token all the same.
 */
function isFromHere(koa: ApiContext, url: string): boolean {
  const site = koa.get('Sec-Fetch-Site');
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false;
  const origin = koa.get('Origin');
  if (origin === '') return true;
  return URL.canParse(origin) && (new URL(url).origin === origin || new URL(origin).host === koa.host);
}

const requestOf = (
  site: Site,
  koa: ApiContext,
  { cookie, language }: Visit,
  form: URLSearchParams,
): PageRequest => ({
  ...{ ctx: site.ctx, language, text: texts[language], form, url: site.url() },
  params: koa.params,
  query: new URLSearchParams(koa.querystring),
  token: tokenField(site, cookie),
  device: { userAgent: koa.get('User-Agent'), address: site.addressOf(koa.req) },
});
