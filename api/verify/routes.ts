import type Router from '@koa/router';
import QRCode from 'qrcode';
import {
  type EvidenceKind,
  evidenceKinds,
  type PictureKind,
  pictureKinds,
  pictureSources,
} from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { followReturn } from '#services/flow/bank/return.ts';
import { chooseBank } from '#services/flow/bank/stage.ts';
import { declineFlow, type FlowContext, startFlow, submitFlow } from '#services/flow/commands.ts';
import { agreesToAll } from '#services/flow/consent.ts';
import type { Link } from '#services/flow/find-link.ts';
import { acceptsNow, handIn, handInSpecimen, isUsed } from '#services/flow/hand-in.ts';
import { adviceSoon } from '#services/flow/looks.ts';
import { openLink } from '#services/flow/open-link.ts';
import { withdraw } from '#services/flow/withdraw.ts';
import type { ClientAddress } from '../client-address.ts';
import { bodyBytes } from '../middleware/body.ts';
import { deadlineFromNow, inTime } from '../middleware/deadline.ts';
import { applyLimit } from '../middleware/rate-limit.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiState } from '../state.ts';
import { hasRead } from './advice.ts';
import { browserFamilyOf } from './browser-family.ts';
import { mountFiles } from './files.ts';
import { mountMovements } from './movement-routes.ts';
import { mountPapers } from './paper-routes.ts';
import { showRefusal } from './refusal.ts';
import {
  dropAndGoOn,
  goOn,
  linkOf,
  locationOf,
  type PageContext,
  type Pages,
  setPageHeaders,
  tokenOf,
} from './requests.ts';
import { type Fault, faults } from './texts/faults.ts';
import { fileIn, oneUpload, uploads } from './upload.ts';
import { showStep } from './views.ts';

/**
 * Serves the pages of the hosted flow (decisions 6 and 7). The link alone gives access, on any device. A person can only continue:
 * no page shows pictures that were sent before. A GET changes nothing, since mail scanners and link previews open links too. Each
 * form sends a POST, and its answer redirects to the page of the next step.
 */
export function mountVerify(router: Router<ApiState>, ctx: ServerContext, addressOf: ClientAddress): void {
  mountFiles(router, ctx);

  const pages = [errorsAsPages, requireLink(ctx)] as const;
  const counted = [...pages, countOnLink(ctx)] as const;
  mountBank(router, ctx, counted);
  mountMovements(router, ctx, { addressOf, counted });
  mountPapers(router, ctx, { addressOf, counted });

  router.get('/verify/:token', ...pages, (koa) => {
    setPageHeaders(koa);
    const link = linkOf(koa);
    const fault = faults.find((each) => each === koa.query.fault);
    const follows = koa.query.follow === 'phone';
    const browser = browserFamilyOf(koa.get('User-Agent'));
    const wanted = kindIn(koa.query.take, link);
    sendPage(
      koa,
      showStep({ ...locationOf(koa), address: addressIn(ctx, koa), link, fault, follows, wanted, browser }),
    );
  });

  router.get('/verify/:token/phone.svg', ...counted, async (koa) => {
    koa.type = 'image/svg+xml';
    koa.body = await QRCode.toString(addressIn(ctx, koa), { type: 'svg', errorCorrectionLevel: 'L' });
  });

  router.post('/verify/:token/start', ...counted, async (koa) => {
    const link = linkOf(koa);
    const form = await formIn(koa);
    if (link.step === 'welcome' && !agreesToAll(link, form.getAll('consent')))
      return goOn(koa, { fault: 'no_consent' });
    const { language } = locationOf(koa);
    const sender = { address: addressOf(koa.req), userAgent: koa.get('User-Agent') };
    await press(ctx, koa, (flow) => startFlow(flow, tokenOf(koa), link, { language, sender }));
  });

  router.post('/verify/:token/picture', ...counted, takePicture(ctx, addressOf));

  router.post('/verify/:token/specimen', ...counted, async (koa) => {
    const link = linkOf(koa);
    const kind = requireKind(koa, link);
    if (link.environment !== 'sandbox') throw new Problem('not_found');
    if (acceptsNow(link, kind)) await handInSpecimen(ctx, link, kind);
    goOn(koa);
  });

  router.post('/verify/:token/submit', ...counted, async (koa) => {
    const link = linkOf(koa);
    const form = await formIn(koa);
    // Advice may have come since the page was made. Who has read it and sends all the same is not stopped.
    if (link.step === 'confirm' && !hasRead(link, form)) return goOn(koa, { fault: 'unread_advice' });
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

  mountWaysOn(router, pages);
}

/** What stands behind a link in the addresses of the forms. */
const formActions = [
  ...['start', 'picture', 'paper', 'remove-paper', 'specimen', 'submit', 'withdraw', 'decline', 'bank'],
  ...['ask-movements', 'movements', 'no-movements'],
];

/** The addresses below a link that only lead on: to the current page, or back to the organisation. */
function mountWaysOn(router: Router<ApiState>, pages: readonly [Pages, Pages]): void {
  // The way back to the organisation. Its address gets the id of the verification and nothing else.
  router.get('/verify/:token/return', ...pages, (koa) => {
    const { returnTo } = linkOf(koa);
    if (returnTo === null) return goOn(koa);
    koa.status = 303;
    koa.set('Location', returnTo);
  });

  // A browser may reload the address of a form that it sent, for example after the camera used up the memory of the device.
  for (const action of [...formActions, ''])
    router.get(`/verify/:token/${action}`, ...pages, (koa) => goOn(koa));

  // Whatever else somebody asks for below a link gets a page too, which leads back to the verification.
  router.all('/verify/:token{/*rest}', ...pages, refuseOther);
  router.all('/verify{/}', errorsAsPages, refuseOther);
}

const refuseOther: Pages = (koa) => {
  koa.req.resume();
  koa.set('Allow', 'GET, HEAD');
  throw new Problem(['GET', 'HEAD', 'POST'].includes(koa.method) ? 'not_found' : 'method_not_allowed');
};

/** The address of the verification for another device. */
const addressIn = ({ publicUrl }: ServerContext, koa: PageContext): string =>
  `${publicUrl}/verify/${tokenOf(koa)}?lang=${locationOf(koa).language}`;

const takePicture =
  (ctx: ServerContext, addressOf: ClientAddress): Pages =>
  async (koa) => {
    const link = linkOf(koa);
    const kind = requirePictureKind(koa, link);
    if (!acceptsNow(link, kind)) return dropAndGoOn(koa);
    const fault = await oneUpload(link, async () => {
      const upload = await fileIn(ctx, koa, link, { address: addressOf(koa.req), ...uploads.picture });
      if (typeof upload === 'string') return upload;
      return handIn(ctx, link, kind, { bytes: upload, source: sourceIn(koa.query.source) });
    });
    const isAgain = fault !== undefined || (await adviceSoon(ctx, link, kind)) !== undefined;
    goOn(koa, { ...(fault && { fault }), ...(isAgain && { take: kind }) });
  };

/** The way to a bank and back. The way back is no link, so it stands before the links. */
function mountBank(
  router: Router<ApiState>,
  ctx: ServerContext,
  counted: readonly [Pages, Pages, Pages],
): void {
  router.get('/verify/from-bank', errorsAsPages, comeBack(ctx));

  router.post('/verify/:token/bank', ...counted, async (koa) => {
    const link = linkOf(koa);
    if (link.bank?.is !== 'choose') return goOn(koa);
    const form = await formIn(koa);
    const chosen = { issuerId: form.get('bank') ?? '', language: locationOf(koa).language };
    const fault = faultOfWish[await chooseBank(ctx, link, chosen)];
    goOn(koa, fault && { fault });
  });
}

const faultOfWish: Partial<Record<string, Fault>> = { unknown_bank: 'no_bank', too_often: 'too_many_visits' };

/**
 * The way back from a bank. What the address says proves nothing of the person: it only makes the product ask the bank, and leads a browser
 * that has the code back to its own page.
 */
const comeBack =
  (ctx: ServerContext): Pages =>
  async (koa) => {
    const returned = ctx.parseReturn(new URLSearchParams(koa.querystring));
    const found = returned && (await followReturn(ctx, returned));
    if (found === undefined) throw new Problem('not_found');
    koa.status = 303;
    koa.set('Location', `${found.token}?${new URLSearchParams({ lang: found.language })}`);
  };

/** Answers every error with a page, which names the organisation as soon as the link is known. */
const errorsAsPages: Pages = async (koa, next) => {
  koa.state.deadlineAt = deadlineFromNow();
  koa.state.errorBody = ({ code }) => {
    setPageHeaders(koa);
    return showRefusal(locationOf(koa), code, { link: koa.state.link, answersForm: koa.method === 'POST' });
  };
  await next();
};

/** Malformed, forged, rotated and unknown links all give the same page. */
const requireLink =
  (ctx: ServerContext): Pages =>
  async (koa, next) => {
    const link = await openLink({ ...ctx, deadlineAt: koa.state.deadlineAt }, tokenOf(koa));
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

/**
 * Sends the page with a tag of its bytes. A page that waits for another device asks with the tag of what it shows, and the answer is
 * empty until something changes. The header `Pictures` tells a browser which of the pictures in its memory are those that arrived last.
 */
function sendPage(koa: PageContext, page: string): void {
  const tag = sha256(page).toString('base64url');
  koa.set('Page', tag);
  koa.set('Pictures', [...linkOf(koa).receivedAt].map(([kind, at]) => `${kind}=${at.getTime()}`).join());
  if (koa.query.since === tag) koa.status = 204;
  else koa.body = page;
}

const formIn = async (koa: PageContext): Promise<URLSearchParams> =>
  new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));

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

/** Who says nothing, or something else, is taken for the least. */
const sourceIn = (said: unknown) => pictureSources.find((source) => source === said) ?? 'upload';

function requireKind(koa: PageContext, link: Link): EvidenceKind {
  const kind = kindIn(koa.query.kind, link);
  if (kind === undefined) throw new Problem('not_found');
  return kind;
}

function requirePictureKind(koa: PageContext, link: Link): PictureKind {
  const kind = pictureKinds.find((each) => each === requireKind(koa, link));
  if (kind === undefined) throw new Problem('not_found');
  return kind;
}
