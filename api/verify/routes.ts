import type Router from '@koa/router';
import type { Middleware } from 'koa';
import QRCode from 'qrcode';
import { type EvidenceKind, evidenceKinds, languages } from '#contract/enums.ts';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { type FlowContext, startFlow, submitFlow } from '#services/flow/commands.ts';
import { findLink, type Link } from '#services/flow/find-link.ts';
import { acceptsNow, handIn, handInSpecimen, isUsed } from '#services/flow/hand-in.ts';
import type { DoorContext } from '../door-context.ts';
import { deadlineFromNow, inTime } from '../middleware/deadline.ts';
import { bodyBytes } from '../middleware/json-body.ts';
import { applyLimit } from '../middleware/rate-limit.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { assets } from './assets.ts';
import { fileInForm } from './file-in-form.ts';
import { contentSecurityPolicy } from './page.ts';
import { type Fault, faults } from './texts.ts';
import { type Place, showStep, showTrouble, showUnknown } from './views.ts';

/**
 * The pages that a person walks (decisions 6 and 7). The link is all that is needed, on any device; and all that it is good
 * for is going on, since no page shows anything that was handed in. Opening one changes nothing: mail scanners and previews
 * open links too. What is pressed is a POST, answered by the way back to the page of the step that is next.
 */
export function mountVerify(router: Router<ApiState>, ctx: DoorContext): void {
  router.get('/verify/assets/:name', (koa) => {
    const asset = assets.get(koa.params.name ?? '');
    if (asset === undefined) throw new Problem('not_found');
    koa.set('Cache-Control', 'public, max-age=3600');
    koa.type = asset.type;
    koa.body = asset.bytes;
  });

  const pages = [asPages, linked(ctx)] as const;
  const counted = [...pages, countedOnLink(ctx)] as const;

  router.get('/verify/:token', ...pages, (koa) => {
    isPage(koa);
    const link = linkOf(koa);
    const fault = faults.find((each) => each === koa.query.fault);
    koa.body = showStep({ ...placeOf(koa), link, fault, wanted: kindIn(koa.query.take, link) });
  });

  router.get('/verify/:token/phone.svg', ...counted, async (koa) => {
    const url = `${ctx.publicUrl}/verify/${tokenOf(koa)}`;
    koa.type = 'image/svg+xml';
    koa.body = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'L' });
  });

  router.post('/verify/:token/start', ...counted, async (koa) => {
    const link = linkOf(koa);
    const form = new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));
    if (link.step === 'welcome' && form.get('consent') !== 'yes') return goOn(koa, { fault: 'no_consent' });
    const { language } = placeOf(koa);
    await press(ctx, koa, (flow) => startFlow(flow, tokenOf(koa), link, { language }));
  });

  router.post('/verify/:token/picture', ...counted, async (koa) => {
    const link = linkOf(koa);
    const kind = requireKind(koa, link);
    if (!acceptsNow(link, kind)) {
      // A body that nobody reads would keep the next request of its connection waiting.
      koa.req.resume();
      return goOn(koa);
    }
    const fault = await oneUpload(link, async () => {
      const upload = await pictureIn(koa);
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

  // Where a browser comes back to what it sent, as after the camera took its memory, it finds the page again.
  for (const pressed of ['start', 'picture', 'specimen', 'submit', ''])
    router.get(`/verify/:token/${pressed}`, ...pages, (koa) => goOn(koa));
}

type Pages = Middleware<ApiState & { link?: Link }>;
type PageContext = ApiContext & { state: { link?: Link } };

const tokenOf = ({ params }: ApiContext): string => params.token ?? '';

/** Whatever goes wrong on the way, a person gets a page, in words for people. */
const asPages: Pages = async (koa, next) => {
  koa.state.deadlineAt = deadlineFromNow();
  koa.state.errorBody = ({ code }) => {
    isPage(koa);
    const place = placeOf(koa);
    const { status } = errors[code];
    if (status === 404) return showUnknown(place);
    return showTrouble(place, status === 429 ? 'tooOften' : status === 503 ? 'away' : 'other');
  };
  await next();
};

/** A malformed, forged, rotated or unknown link is one and the same page. */
const linked =
  (ctx: DoorContext): Pages =>
  async (koa, next) => {
    const link = await findLink(ctx, tokenOf(koa));
    if (link === undefined) throw new Problem('not_found');
    koa.state.link = link;
    await next();
  };

/** What costs something counts on the link, whoever sends it. */
const countedOnLink =
  (ctx: DoorContext): Pages =>
  async (koa, next) => {
    const bucket = `link:${linkOf(koa).id}`;
    const counted = await ctx.rateLimits.count(bucket, limits.stepsPerLinkPerMinute);
    if (applyLimit(ctx, koa, counted, 'link')) await next();
  };

function linkOf({ state }: PageContext): Link {
  if (state.link === undefined) throw new Error('a page of no link');
  return state.link;
}

/**
 * Where the page is read, and in which language: as its own link says, else as the browser prefers. Dutch for who does not say,
 * English for who speaks neither.
 */
function placeOf(koa: ApiContext): Place {
  const asked = languages.find((language) => language === koa.query.lang);
  const preferred = koa.acceptsLanguages([...languages]);
  const language = asked ?? languages.find((each) => each === preferred) ?? 'en';
  const isDeeper = koa.path.split('/').length > '/verify/:token'.split('/').length;
  return { token: tokenOf(koa), language, base: isDeeper ? '../' : '' };
}

function isPage(koa: ApiContext): void {
  koa.type = 'text/html; charset=utf-8';
  koa.set('Content-Security-Policy', contentSecurityPolicy);
}

/** To the page of the step that is next; by a GET, so that going back or reloading sends nothing twice. */
function goOn(koa: PageContext, { fault, take }: { fault?: Fault; take?: EvidenceKind } = {}): void {
  const { token, language } = placeOf(koa);
  const query = new URLSearchParams({ lang: language, ...(take && { take }), ...(fault && { fault }) });
  koa.status = 303;
  koa.set('Location', `../${token}?${query}`);
}

async function press(
  ctx: DoorContext,
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

/** Each may hold a picture in memory. An organisation has its share of a process, sandbox and live apart. */
const uploadsMax = { process: 24, organisation: 8 } as const;
/** Verifications by the organisation and environment that they are of. */
const uploads = new Map<string, string>();

/** One upload of a link at a time; whoever sends slowly, or many at once, keeps others from sending no longer than that. */
async function oneUpload(
  { id, orgId, environment }: Link,
  take: () => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  if (uploads.has(id)) return 'still_sending';
  const whose = `${orgId}/${environment}`;
  const theirs = [...uploads.values()].filter((each) => each === whose).length;
  if (uploads.size >= uploadsMax.process || theirs >= uploadsMax.organisation)
    throw new Problem('service_unavailable');
  uploads.set(id, whose);
  try {
    return await take();
  } finally {
    uploads.delete(id);
  }
}

/** For what surrounds the picture in a form. */
const formBytesMax = 4 * 1024;

async function pictureIn(koa: PageContext): Promise<Buffer | Fault> {
  try {
    const form = await bodyBytes(koa, limits.pictureSizeBytesMax + formBytesMax);
    const picture = fileInForm(form, koa.get('Content-Type'), 'picture');
    return picture === undefined || picture.length === 0 ? 'no_picture' : picture;
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return 'too_heavy';
    throw error;
  }
}
