import type Router from '@koa/router';
import type { Middleware } from 'koa';
import QRCode from 'qrcode';
import { type EvidenceKind, evidenceKinds, languages } from '#contract/enums.ts';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { declineFlow, type FlowContext, startFlow, submitFlow } from '#services/flow/commands.ts';
import { agreesToAll } from '#services/flow/consent.ts';
import { findLink, type Link } from '#services/flow/find-link.ts';
import { acceptsNow, handIn, handInSpecimen, isUsed } from '#services/flow/hand-in.ts';
import { withdraw } from '#services/flow/withdraw.ts';
import type { ClientAddress } from '../client-address.ts';
import { bodyBytes } from '../middleware/body.ts';
import { deadlineFromNow, inTime } from '../middleware/deadline.ts';
import { applyLimit } from '../middleware/rate-limit.ts';
import { sendAssetOf } from '../pages/assets.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { assets } from './assets.ts';
import { contentSecurityPolicy } from './page.ts';
import { type Fault, faults } from './text-fields.ts';
import { oneUpload, pictureIn } from './upload.ts';
import { type PageLocation, showStep, showTrouble, showUnknown } from './views.ts';

/**
 * Serves the pages of the hosted flow (decisions 6 and 7). The link alone gives access, on any device. A person can only continue:
 * no page shows pictures that were sent before. A GET changes nothing, since mail scanners and link previews open links too. Each
 * form sends a POST, and its answer redirects to the page of the next step.
 */
export function mountVerify(router: Router<ApiState>, ctx: ServerContext, addressOf: ClientAddress): void {
  router.get('/verify/assets/:name', sendAssetOf(assets));

  const pages = [errorsAsPages, requireLink(ctx)] as const;
  const counted = [...pages, countOnLink(ctx)] as const;

  router.get('/verify/:token', ...pages, (koa) => {
    setPageHeaders(koa);
    const link = linkOf(koa);
    const fault = faults.find((each) => each === koa.query.fault);
    koa.body = showStep({ ...locationOf(koa), link, fault, wanted: kindIn(koa.query.take, link) });
  });

  router.get('/verify/:token/phone.svg', ...counted, async (koa) => {
    const url = `${ctx.publicUrl}/verify/${tokenOf(koa)}`;
    koa.type = 'image/svg+xml';
    koa.body = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'L' });
  });

  router.post('/verify/:token/start', ...counted, async (koa) => {
    const link = linkOf(koa);
    const form = new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));
    if (link.step === 'welcome' && !agreesToAll(link, form.getAll('consent')))
      return goOn(koa, { fault: 'no_consent' });
    const { language } = locationOf(koa);
    const sender = { address: addressOf(koa.req), userAgent: koa.get('User-Agent') };
    await press(ctx, koa, (flow) => startFlow(flow, tokenOf(koa), link, { language, sender }));
  });

  router.post('/verify/:token/picture', ...counted, async (koa) => {
    const link = linkOf(koa);
    const kind = requireKind(koa, link);
    if (!acceptsNow(link, kind)) {
      // The rest of the body is read and dropped, since the next request on this connection comes after it.
      koa.req.resume();
      return goOn(koa);
    }
    const fault = await oneUpload(link, async () => {
      const upload = await pictureIn(koa, link, addressOf(koa.req));
      return typeof upload === 'string' ? upload : handIn(ctx, link, kind, upload);
    });
    goOn(koa, fault && { fault, take: kind });
  });

  router.post('/verify/:token/specimen', ...counted, async (koa) => {
    const link = linkOf(koa);
    const kind = requireKind(koa, link);
    if (link.environment !== 'sandbox') throw new Problem('not_found');
    if (acceptsNow(link, kind)) await handInSpecimen(ctx, link, kind);
    goOn(koa);
  });

  router.post('/verify/:token/submit', ...counted, async (koa) => {
    const link = linkOf(koa);
    await press(ctx, koa, (flow) => submitFlow(flow, tokenOf(koa), link));
  });

  router.post('/verify/:token/withdraw', ...counted, async (koa) => {
    const link = linkOf(koa);
    await press(ctx, koa, (flow) => withdraw(flow, link));
  });

  router.post('/verify/:token/decline', ...counted, async (koa) => {
    const link = linkOf(koa);
    await press(ctx, koa, (flow) => declineFlow(flow, tokenOf(koa), link));
  });

  // A browser may reload the address of a form that it sent, for example after the camera used up the memory of the device.
  for (const action of ['start', 'picture', 'specimen', 'submit', 'withdraw', 'decline', ''])
    router.get(`/verify/:token/${action}`, ...pages, (koa) => goOn(koa));
}

type Pages = Middleware<ApiState & { link?: Link }>;
type PageContext = ApiContext & { state: { link?: Link } };

const tokenOf = ({ params }: ApiContext): string => params.token ?? '';

/** Answers every error with a page, in plain language. */
const errorsAsPages: Pages = async (koa, next) => {
  koa.state.deadlineAt = deadlineFromNow();
  koa.state.errorBody = ({ code }) => {
    setPageHeaders(koa);
    const location = locationOf(koa);
    const { status } = errors[code];
    if (status === 404) return showUnknown(location);
    return showTrouble(location, status === 429 ? 'tooOften' : status === 503 ? 'away' : 'other');
  };
  await next();
};

/** Malformed, forged, rotated and unknown links all give the same page. */
const requireLink =
  (ctx: ServerContext): Pages =>
  async (koa, next) => {
    const link = await findLink(ctx, tokenOf(koa));
    if (link === undefined) throw new Problem('not_found');
    koa.state.link = link;
    await next();
  };

/** Counts every step that costs work. The count belongs to the link, whatever address sends the step. */
const countOnLink =
  (ctx: ServerContext): Pages =>
  async (koa, next) => {
    const bucket = `link:${linkOf(koa).id}`;
    const counted = await ctx.rateLimits.count(bucket, limits.stepsPerLinkPerMinute);
    if (applyLimit(ctx, koa, counted, 'link')) await next();
  };

function linkOf({ state }: PageContext): Link {
  if (state.link === undefined) throw new Error('a route without `requireLink` asked for its link');
  return state.link;
}

/**
 * Returns the token, the language and the relative path of a page. The language is the one in the query, else the one that the
 * browser prefers. If the browser names no language, the language is Dutch. If the browser names neither Dutch nor English, it is
 * English.
 */
function locationOf(koa: ApiContext): PageLocation {
  const asked = languages.find((language) => language === koa.query.lang);
  const preferred = koa.acceptsLanguages([...languages]);
  const language = asked ?? languages.find((each) => each === preferred) ?? 'en';
  const isDeeper = koa.path.split('/').length > '/verify/:token'.split('/').length;
  return { token: tokenOf(koa), language, base: isDeeper ? '../' : '' };
}

function setPageHeaders(koa: ApiContext): void {
  koa.type = 'text/html; charset=utf-8';
  koa.set('Content-Security-Policy', contentSecurityPolicy);
}

/** Redirects to the page of the next step. The browser loads that page by a GET, so going back or reloading sends no form twice. */
function goOn(koa: PageContext, { fault, take }: { fault?: Fault; take?: EvidenceKind } = {}): void {
  const { token, language } = locationOf(koa);
  const query = new URLSearchParams({ lang: language, ...(take && { take }), ...(fault && { fault }) });
  koa.status = 303;
  koa.set('Location', `../${token}?${query}`);
}

async function press(
  ctx: ServerContext,
  koa: PageContext,
  act: (flow: FlowContext) => Promise<void>,
): Promise<void> {
  const { requestId, deadlineAt } = koa.state;
  await inTime(act({ ...ctx, requestId, deadlineAt }), deadlineAt);
  goOn(koa);
}

const kindIn = (asked: unknown, link: Link): EvidenceKind | undefined =>
  evidenceKinds.find((kind) => kind === asked && isUsed(link, kind));

function requireKind(koa: PageContext, link: Link): EvidenceKind {
  const kind = kindIn(koa.query.kind, link);
  if (kind === undefined) throw new Problem('not_found');
  return kind;
}
