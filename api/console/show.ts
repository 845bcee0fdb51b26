import type { Language } from '#contract/enums.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { may } from '#policy/rights.ts';
import { endSession, findSession, type SignedIn } from '#services/members/sessions.ts';
import { html } from '../pages/markup.ts';
import type { ApiContext } from '../state.ts';
import { contentSecurityPolicy, framed } from './frame.ts';
import { firstPages } from './pages/home.ts';
import { consolePages } from './pages.ts';
import type { Answer, ConsolePage, View } from './request.ts';
import { type Site, tokenField, type Visit } from './session/visit.ts';
import { type Notice, texts } from './texts/texts.ts';
import { countedShort } from './values/counted.ts';
import { ownPlace } from './values/own-place.ts';

/** Shows a view inside the frame. Somebody who still owes the second factor sees no navigation. */
export function show(site: Site, koa: ApiContext, visit: Visit, view: View, waiting = 0): void {
  const { member, language } = visit;
  const inside = member?.owes === undefined ? member : undefined;
  const cookie = visit.cookie === '' ? site.cookie().writeVisitor(koa) : visit.cookie;
  koa.status = view.status ?? 200;
  koa.type = 'text/html; charset=utf-8';
  koa.set('Content-Security-Policy', contentSecurityPolicy(view));
  const frame = {
    ...{ language, member: inside, path: koa.path, token: tokenField(site, cookie), notice: noticeOf(koa) },
    nav: inside === undefined ? [] : navOf(inside, waiting),
    otherLanguage: member === undefined && koa.method === 'GET' ? inOther(koa, language) : undefined,
  };
  koa.body = framed(frame, view);
}

export type Trouble = 'notFound' | 'forbidden' | 'stale' | 'repeated' | 'failed';
const statusOf = { notFound: 404, forbidden: 403, stale: 403, repeated: 409, failed: 404 } as const;

export const troubleOf = (code: ErrorCode): Trouble =>
  [404, 405].includes(errors[code].status) ? 'notFound' : 'failed';

/** Refuses a request: nothing was changed. The rest of a form is read and dropped. */
export function refuse(site: Site, koa: ApiContext, visit: Visit, which: Trouble): void {
  koa.req.resume();
  if (koa.method === 'POST' || which === 'forbidden') logRefusal(site, koa, visit, which);
  const view = troubleView(visit.language, which);
  show(site, koa, visit, { ...view, status: statusOf[which], refused: which });
}

export function troubleView(language: Language, which: Trouble) {
  const { trouble, back } = texts[language];
  const { title, text } = trouble[which];
  return { title, body: html`<p>${text}</p><p><a href="/">${back}</a></p>`, isFaulty: true };
}

/** Logs that a request was refused, and by which member. The path stays out, because it has what somebody typed. */
export function logRefusal({ ctx }: Site, koa: ApiContext, { member }: Visit, refused: string): void {
  ctx.instruments.consoleRefusals.add(1, { reason: refused });
  ctx.log.warn(
    { request_id: koa.state.requestId, member_id: member?.memberId, refused },
    'the console refused a request',
  );
}

/** Sends what a page answered, with the cookie of a session that begins or ends. */
export async function answer(
  site: Site,
  koa: ApiContext,
  visit: Visit,
  given: Answer,
  waiting: number,
): Promise<void> {
  if ('title' in given) {
    if (given.refused !== undefined) logRefusal(site, koa, visit, given.refused);
    return show(site, koa, visit, given, waiting);
  }
  if ('signedOut' in given) {
    if (visit.member !== undefined) await endSession(site.ctx, visit.member, visit.member.sessionId);
    site.cookie().clear(koa);
    return goTo(koa, '/sign-in?notice=signed_out');
  }
  if ('file' in given) return sendFile(koa, given);
  if ('preview' in given) return sendPreview(koa, given.preview);
  const member = given.session === undefined ? undefined : await begin(site, koa, given.session);
  if ('to' in given)
    return goTo(koa, given.notice === undefined ? given.to : withNotice(given.to, given.notice));
  show(site, koa, { ...visit, cookie: given.session, member }, given.view);
}

/** Gives the browser the cookie of its session, and once the sign-in is complete the mark of a browser that is known. */
async function begin(site: Site, koa: ApiContext, session: string): Promise<SignedIn | undefined> {
  site.cookie().write(koa, session);
  const member = await findSession(site.ctx, session);
  if (member !== undefined && member.owes !== 'code') site.marks().write(koa, member);
  return member;
}

/** The browser keeps the file under its name, and shows nothing of it. */
function sendFile(koa: ApiContext, { file, name, type }: { file: Buffer; name: string; type: string }): void {
  koa.set('Content-Disposition', `attachment; filename="${name}"`);
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox");
  koa.type = type;
  koa.body = file;
}

/**
 * The one answer that may be framed, and by the console alone. It runs nothing, sends nothing and leads nowhere. It keeps its origin,
 * because our files are sent to no other one.
 */
const policyOfPreview =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; " +
  'sandbox allow-same-origin';

function sendPreview(koa: ApiContext, document: string): void {
  koa.set('Content-Security-Policy', policyOfPreview);
  koa.type = 'text/html; charset=utf-8';
  koa.body = document;
}

const withNotice = (path: string, notice: Notice): string =>
  `${path}${path.includes('?') ? '&' : '?'}notice=${notice}`;

/** The browser loads the next page by a GET, so going back or reloading sends no form twice. */
export function goTo(koa: ApiContext, path: string): void {
  koa.req.resume();
  koa.status = 303;
  koa.set('Location', path);
  koa.body = '';
}

export const isRight = (audience: ConsolePage['for']): audience is Parameters<typeof may>[1] =>
  !['anybody', 'code', 'setup', 'signed_in'].includes(audience);

const navOf = ({ role, language }: SignedIn, waiting: number) =>
  consolePages.flatMap(({ nav, path, for: audience }) =>
    nav !== undefined && isRight(audience) && may(role, audience) && !(nav === 'home' && role in firstPages)
      ? [
          {
            path,
            name: texts[language].nav[nav],
            waiting: nav === 'review' ? countedShort(waiting) : undefined,
          },
        ]
      : [],
  );

const inOther = (koa: ApiContext, language: Language): string => {
  const next = ownPlace(new URLSearchParams(koa.querystring).get('next'));
  return `?${new URLSearchParams({ lang: language === 'nl' ? 'en' : 'nl', ...(next !== undefined && { next }) })}`;
};

const noticeOf = ({ query, method }: ApiContext): Notice | undefined =>
  method === 'GET'
    ? (Object.keys(texts.en.notices) as Notice[]).find((each) => each === query.notice)
    : undefined;
