import type { Middleware } from 'koa';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { memberLimits } from '#contract/members.ts';
import { may } from '#policy/rights.ts';
import { callerOfMember } from '#services/caller.ts';
import { type SignedIn, useForm } from '#services/members/sessions.ts';
import { countWaiting } from '#services/reviews/queue.ts';
import { bodyBytes } from '../middleware/body.ts';
import { fieldAfterFile, fileInForm } from '../pages/file-in-form.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { consolePages } from './pages.ts';
import type { Answer, ConsolePage, PageRequest } from './request.ts';
import { type Site, tokenField, type Visit, visitOf, visitWithoutMember } from './session/visit.ts';
import { answer, goTo, isRight, refuse, troubleOf } from './show.ts';
import { texts } from './texts/texts.ts';
import { shortUpTo } from './values/counted.ts';
import { ownPlace, thenTo } from './values/own-place.ts';

/**
 * Turns a row of the table of pages into a handler. The rules about who may use a page are here: first whether somebody is signed in and
 * owes nothing, then the role, then the token of the form. Only then the page runs.
 */
export const servePage =
  (site: Site, page: ConsolePage): Middleware<ApiState> =>
  async (koa) => {
    let visit = await visitOf(site, koa);
    if (turnsAway(site, koa, page, visit)) return;
    if (visit.cookie === '' && page.method === 'GET') visit.cookie = site.cookie().writeVisitor(koa);
    const sent = page.method === 'POST' ? await formOf(site, koa, visit, page) : nothingSent();
    if (typeof sent === 'string') return refuse(site, koa, visit, sent);
    if (page.method === 'POST' && visit.member !== undefined) {
      // A form may take half a minute to arrive. Who lost a role meanwhile must not use it.
      visit = await visitOf(site, koa);
      if (turnsAway(site, koa, page, visit)) return;
    }
    const given = await run(page, requestOf(site, koa, page, { ...visit, ...sent }), visit.member);
    await answer(site, koa, visit, given, await waitingBeside(site, given, visit.member));
  };

/** How many reviews wait in live, for the navigation of a page. 0 for those who do not review. */
const waitingBeside = async ({ ctx }: Site, given: Answer, member: SignedIn | undefined): Promise<number> =>
  !('title' in given) || member === undefined || member.owes !== undefined || !may(member.role, 'queue.see')
    ? 0
    : countWaiting(ctx, callerOfMember(member, 'live'), shortUpTo + 1);

/** True if this visitor may not use the page, and is told so. */
function turnsAway(site: Site, koa: ApiContext, page: ConsolePage, visit: Visit): boolean {
  const { member } = visit;
  const elsewhere = detour(page, member);
  if (elsewhere !== undefined)
    goTo(koa, waysIn.has(elsewhere) ? thenTo(elsewhere, wanted(koa, page)) : elsewhere);
  else if (member !== undefined && isRight(page.for) && !may(member.role, page.for))
    refuse(site, koa, visit, 'forbidden');
  else return false;
  return true;
}

async function run(page: ConsolePage, request: PageRequest, member: SignedIn | undefined): Promise<Answer> {
  if (page.for === 'anybody') return page.run({ ...request, member });
  if (member === undefined) return { to: '/sign-in' };
  const callers = { sandbox: callerOfMember(member, 'sandbox'), live: callerOfMember(member, 'live') };
  return page.run({ ...request, member, callers });
}

/** Postgres stores no U+0000, and no browser sends one. A page that reads one from its address finds nothing. */
function requireStorable(form: URLSearchParams): void {
  if ([...form].flat().some((each) => each.includes('\0'))) throw new Problem('malformed_request');
}

/** Answers every error with a page. */
export const errorsAsPages =
  (site: Site): Middleware<ApiState> =>
  async (koa, next) => {
    let visit = visitWithoutMember(site, koa);
    koa.state.errorBody = ({ code }) => {
      refuse(site, koa, visit, troubleOf(code));
      koa.status = errors[code].status;
      return koa.body as string;
    };
    await next();
    if (koa.body === undefined && koa.status === 404) visit = await visitOf(site, koa);
  };

const waysIn = new Set(['/sign-in', '/sign-in/code', '/second-factor']);

/** The page to come back to after a sign-in. For a form it is the page above it, since nothing of a form is kept. */
function wanted(koa: ApiContext, page: ConsolePage): string | undefined {
  if (!isRight(page.for)) return undefined;
  if (page.method === 'GET') return ownPlace(koa.path + koa.search);
  const parts = koa.path.split('/');
  for (let pattern = page.path; pattern !== ''; pattern = pattern.slice(0, pattern.lastIndexOf('/'))) {
    if (consolePages.some(({ method, path }) => method === 'GET' && path === pattern))
      return ownPlace(parts.slice(0, pattern.split('/').length).join('/'));
  }
  return undefined;
}

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

type Sent = Pick<PageRequest, 'form' | 'file' | 'formToken'>;

const nothingSent = (): Sent => ({ form: new URLSearchParams(), file: undefined, formToken: undefined });

/** Reads a form and uses up its token. Returns what is wrong with it otherwise. */
async function formOf(
  { ctx, tokens, url }: Site,
  koa: ApiContext,
  { cookie, member }: Visit,
  { needs, file: name }: ConsolePage,
): Promise<Sent | 'stale' | 'repeated'> {
  if (!isFromHere(koa, url())) return 'stale';
  const { form, file } = name === undefined ? await fieldsOf(koa) : await fileOf(koa, name);
  const formToken = tokens.read(cookie, form.get('token'), needs);
  if (formToken === undefined) return 'stale';
  if (member !== undefined && !(await useForm(ctx, member, formToken.nonce))) return 'repeated';
  form.delete('token');
  requireStorable(form);
  return { form, file, formToken };
}

type Body = Pick<Sent, 'form' | 'file'>;

const fieldsOf = async (koa: ApiContext): Promise<Body> => ({
  form: new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8')),
  file: undefined,
});

/** A form with a file has no other field than its token. */
async function fileOf(koa: ApiContext, name: string): Promise<Body> {
  const body = await bodyBytes(koa, memberLimits.logoUploadBytesMax + limits.bodySizeBytesMax);
  const type = koa.get('Content-Type');
  const file = fileInForm(body, type, name);
  const isFit = file !== undefined && file.length > 0 && file.length <= memberLimits.logoUploadBytesMax;
  const token = fieldAfterFile(body, type, 'token');
  return { form: new URLSearchParams({ ...(token && { token }) }), file: isFit ? file : undefined };
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

/** Every form keeps these (`keepingAsked`). */
const ofEveryPage = ['lang', 'next'];

/** A parameter that no row names reaches no page, so a test can send each one with ids of another organisation. */
function askedOf({ querystring }: ApiContext, { query = [] }: ConsolePage): URLSearchParams {
  const isRead = (name: string) => ofEveryPage.includes(name) || query.includes(name);
  return new URLSearchParams([...new URLSearchParams(querystring)].filter(([name]) => isRead(name)));
}

const requestOf = (
  site: Site,
  koa: ApiContext,
  page: ConsolePage,
  { cookie, language, form, file, formToken }: Visit & Sent,
): PageRequest => ({
  ctx: { ...site.ctx, deadlineAt: koa.state.deadlineAt, requestId: null },
  ...{ language, text: texts[language], url: site.url(), form, file, formToken },
  params: koa.params,
  query: askedOf(koa, page),
  token: tokenField(site, cookie),
  tokenAfterPassword: () => tokenField(site, cookie, 'password'),
  device: { userAgent: koa.get('User-Agent'), address: site.addressOf(koa.req) },
  knownBrowser: site.marks().read(koa),
});
