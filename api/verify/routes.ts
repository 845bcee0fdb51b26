import type Router from '@koa/router';
import type { Middleware } from 'koa';
import QRCode from 'qrcode';
import { type EvidenceKind, evidenceKinds, languages } from '#contract/enums.ts';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { DoorContext } from '#services/context.ts';
import { type FlowContext, startFlow, submitFlow } from '#services/flow/commands.ts';
import { findLink, type Link } from '#services/flow/find-link.ts';
import { handIn, handInSpecimen, isTaken } from '#services/flow/hand-in.ts';
import { deadlineFromNow, inTime } from '../middleware/deadline.ts';
import { bodyBytes } from '../middleware/json-body.ts';
import { enforce } from '../middleware/rate-limit.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { assets } from './assets.ts';
import { contentSecurityPolicy } from './page.ts';
import type { Fault } from './texts.ts';
import { type Look, type Place, showStep, showTrouble, showUnknown } from './views.ts';

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
    show(koa, { wanted: wantedIn(koa) });
  });

  router.get('/verify/:token/phone.svg', ...counted, async (koa) => {
    const url = `${ctx.publicUrl}/verify/${tokenOf(koa)}`;
    koa.type = 'image/svg+xml';
    koa.body = await QRCode.toString(url, { type: 'svg', errorCorrectionLevel: 'L' });
  });

  router.post('/verify/:token/start', ...counted, async (koa) => {
    const link = linkOf(koa);
    const form = new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));
    if (link.step === 'welcome' && form.get('consent') !== 'yes') return show(koa, { fault: 'no_consent' });
    const { language } = placeOf(koa);
    await press(ctx, koa, (flow) => startFlow(flow, tokenOf(koa), link, { language }));
  });

  router.post('/verify/:token/picture', ...counted, async (koa) => {
    const link = linkOf(koa);
    const kind = kindIn(koa, link);
    const fault = await oneUpload(link.id, async () => {
      const upload = await pictureIn(koa);
      return typeof upload === 'string' ? upload : handIn(ctx, link, kind, upload);
    });
    if (fault === undefined) goOn(koa);
    else show(koa, { fault, wanted: kind });
  });

  router.post('/verify/:token/specimen', ...counted, async (koa) => {
    const link = linkOf(koa);
    if (link.environment !== 'sandbox') throw new Problem('not_found');
    await handInSpecimen(ctx, link, kindIn(koa, link));
    goOn(koa);
  });

  router.post('/verify/:token/submit', ...counted, async (koa) => {
    const link = linkOf(koa);
    await press(ctx, koa, (flow) => submitFlow(flow, tokenOf(koa), link));
  });
}

type Pages = Middleware<ApiState & { link?: Link }>;
type PageContext = ApiContext & { state: { link?: Link } };

const tokenOf = ({ params }: ApiContext): string => params.token ?? '';

/** Whatever goes wrong on the way, a person gets a page, in words for people. */
const asPages: Pages = async (koa, next) => {
  koa.state.errorBody = ({ code }) => {
    isPage(koa);
    const place = placeOf(koa);
    if (errors[code].status === 404) return showUnknown(place);
    return showTrouble(place, code === 'rate_limit_exceeded' ? 'tooOften' : 'away');
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
    enforce(ctx, koa, await ctx.rateLimits.count(bucket, limits.stepsPerLinkPerMinute), 'link');
    await next();
  };

function linkOf({ state }: PageContext): Link {
  if (state.link === undefined) throw new Error('a page of no link');
  return state.link;
}

/** Where the page is read, and in which language: as its own link says, else as the browser prefers, else in Dutch. */
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

function show(koa: PageContext, { fault, wanted }: Pick<Look, 'fault' | 'wanted'>): void {
  if (fault !== undefined) koa.status = 422;
  isPage(koa);
  koa.body = showStep({ ...placeOf(koa), link: linkOf(koa), fault, wanted });
}

/** To the page of the step that is next; by a GET, so that going back or reloading sends nothing twice. */
function goOn(koa: PageContext): void {
  const { token, language } = placeOf(koa);
  koa.status = 303;
  koa.set('Location', `../${token}?lang=${language}`);
}

async function press(
  ctx: DoorContext,
  koa: PageContext,
  act: (flow: FlowContext) => Promise<void>,
): Promise<void> {
  const deadlineAt = deadlineFromNow();
  await inTime(act({ ...ctx, requestId: koa.state.requestId, deadlineAt }), deadlineAt);
  goOn(koa);
}

function wantedIn(koa: PageContext): EvidenceKind | undefined {
  const link = linkOf(koa);
  return evidenceKinds.find((kind) => kind === koa.query.take && isTaken(link, kind));
}

function kindIn(koa: PageContext, link: Link): EvidenceKind {
  const kind = evidenceKinds.find((each) => each === koa.query.kind);
  if (kind === undefined || !isTaken(link, kind)) throw new Problem('not_found');
  return kind;
}

/** Of the whole process: each may hold a picture in memory. */
const uploadsMax = 16;
const uploads = new Set<string>();

/** One upload of a link at a time, so that whoever sends slowly, or many at once, keeps nobody else from sending. */
async function oneUpload<T>(linkId: string, take: () => Promise<T>): Promise<T> {
  if (uploads.size >= uploadsMax || uploads.has(linkId)) throw new Problem('service_unavailable');
  uploads.add(linkId);
  try {
    return await take();
  } finally {
    uploads.delete(linkId);
  }
}

/** For what surrounds the picture in a form. */
const formBytesMax = 4 * 1024;

async function pictureIn(koa: PageContext): Promise<Uint8Array | Fault> {
  try {
    const bytes = await bodyBytes(koa, limits.pictureSizeBytesMax + formBytesMax);
    const headers = { 'content-type': koa.get('Content-Type') };
    const picture = (await new Response(bytes, { headers }).formData()).get('picture');
    return picture instanceof Blob && picture.size > 0 ? await picture.bytes() : 'no_picture';
  } catch (error) {
    if (error instanceof Problem) return error.code === 'body_too_large' ? 'too_heavy' : 'no_picture';
    return 'no_picture';
  }
}
