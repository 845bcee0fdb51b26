import { Problem } from '#contract/errors.ts';
import { paperLimits } from '#contract/income-papers.ts';
import { limits } from '#contract/limits.ts';
import type { Link } from '#services/flow/find-link.ts';
import type { GuardedRequest } from '../guarded-request.ts';
import { bodyBytes } from '../middleware/body.ts';
import { fileInForm } from '../pages/file-in-form.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext } from '../state.ts';
import type { Fault } from './text-fields.ts';

/**
 * The largest numbers of uploads that may arrive at the same time. They are limited because each upload may hold a file in
 * memory. Many people may share one address, for example that of an office, a mobile network or a proxy. The sandbox and live
 * uploads of an organisation count separately.
 */
const arrivingMax = { process: 40, organisation: 32, address: 24 } as const;
export const uploadGroups = ['process', 'organisation', 'address'] as const;
type Group = (typeof uploadGroups)[number];
/** The organisation had the largest share of what was full, or the upload was slow. */
export const evictionReasons = ['share', 'slow'] as const;

/** An upload is slow if its average rate is lower than `bytesPerMsMax`. It is rated only after `ratedAfterMs`. */
const slow = { bytesPerMsMax: 64, ratedAfterMs: 1_000 } as const;

type Arriving = {
  process: 'this';
  /** The organisation in one environment. */
  organisation: string;
  address: string;
  link: Pick<Link, 'orgId' | 'environment'>;
  request: GuardedRequest;
  startedMs: number;
  /** Ends the upload with the answer that the service is not available now. */
  end(): void;
};

const arriving = new Set<Arriving>();
/** The ids of verifications with an upload that arrives or is examined. */
const busy = new Set<string>();

/** Allows one upload at a time per link. */
export async function oneUpload(
  { id }: Link,
  upload: () => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  if (busy.has(id)) return 'still_sending';
  busy.add(id);
  try {
    return await upload();
  } finally {
    busy.delete(id);
  }
}

type UploadContext = Pick<ServerContext, 'instruments' | 'log'>;

/** Limits the uploads of an address, of an organisation and of the process that arrive at the same time. */
async function inPlace<Result>(
  ctx: UploadContext,
  link: Link,
  { address, request }: Pick<Arriving, 'address' | 'request'>,
  receive: () => Promise<Result>,
): Promise<Result> {
  const ended = Promise.withResolvers<never>();
  const added: Arriving = {
    ...{ process: 'this', organisation: `${link.orgId}/${link.environment}`, address, link, request },
    startedMs: performance.now(),
    end() {
      request.giveUp();
      ended.reject(new Problem('service_unavailable'));
    },
  };
  makeRoom(ctx, added);
  arriving.add(added);
  try {
    return await Promise.race([receive(), ended.promise]);
  } finally {
    arriving.delete(added);
  }
}

/** An upload that ends in favour of another, and why. */
type Evicted = { upload: Arriving; full: Group; reason: (typeof evictionReasons)[number] };

/** Ends an upload of each full group. If no upload of a full group may be ended, the new one is refused and none is ended. */
function makeRoom({ instruments, log }: UploadContext, added: Arriving): void {
  const evicted: Evicted[] = [];
  for (const full of uploadGroups) {
    const others = [...arriving].filter(
      (each) => each[full] === added[full] && !evicted.some(({ upload }) => upload === each),
    );
    if (others.length < arrivingMax[full]) continue;
    const found = evictedOf(others, added);
    if (found === undefined) throw new Problem('service_unavailable');
    evicted.push({ ...found, full });
  }
  for (const { upload, full, reason } of evicted) {
    arriving.delete(upload);
    upload.end();
    instruments.uploadsEvicted.add(1, { full, reason });
    const { orgId, environment } = upload.link;
    log.warn({ full, reason, org_id: orgId, environment }, 'an upload was ended in favour of another');
  }
}

/**
 * Only an organisation with more uploads in a group gives way to another one. So no partner keeps out the people of another, or ends what
 * they send. If the largest has at least two more, its slowest upload ends, whatever its rate. Else a slow upload ends, also of the same
 * organisation, since senders that stop in the middle could keep everybody out.
 */
function evictedOf(others: readonly Arriving[], added: Arriving): Omit<Evicted, 'full'> | undefined {
  const shares = Map.groupBy(others, ({ link }) => link.orgId);
  const countOf = ({ link }: Arriving) => shares.get(link.orgId)?.length ?? 0;
  const own = countOf(added);
  const [largest = []] = [...shares.values()].toSorted((a, b) => b.length - a.length);
  const ofLargest = largest.length > own + 1 ? leastLost(largest) : undefined;
  if (ofLargest !== undefined) return { upload: ofLargest, reason: 'share' };
  const givesWay = (each: Arriving) => each.link.orgId === added.link.orgId || countOf(each) > own;
  const slowest = slowestOf(others.filter((each) => givesWay(each) && isSlow(each)));
  return slowest && { upload: slowest, reason: 'slow' };
}

/** The slowest of the uploads that are rated. If none is, it is the newest, of which the least has arrived. */
const leastLost = (uploads: readonly Arriving[]): Arriving | undefined =>
  slowestOf(uploads.filter(isRated)) ?? uploads.at(-1);

const slowestOf = (uploads: readonly Arriving[]): Arriving | undefined =>
  uploads.toSorted((a, b) => rateOf(a) - rateOf(b))[0];

const isRated = ({ startedMs }: Arriving): boolean => performance.now() - startedMs > slow.ratedAfterMs;
const isSlow = (upload: Arriving): boolean => isRated(upload) && rateOf(upload) < slow.bytesPerMsMax;

/** In bytes per millisecond. */
const rateOf = ({ request, startedMs }: Arriving): number =>
  request.bytesReceived / (performance.now() - startedMs);

/** The bytes that a form may have besides its file. */
const formBytesMax = 4 * 1024;

/** What a form brings: the name of its field, and the fault if nothing is in it. */
type Expected = { field: string; bytesMax: number; missing: Fault };

/** The forms of the pages that bring a file. */
export const uploads = {
  picture: { field: 'picture', bytesMax: limits.pictureSizeBytesMax, missing: 'no_picture' },
  paper: { field: 'paper', bytesMax: paperLimits.bytesMax, missing: 'no_paper' },
} as const satisfies Record<string, Expected>;

export async function fileIn(
  ctx: UploadContext,
  koa: ApiContext,
  link: Link,
  { address, field, bytesMax, missing }: Expected & { address: string },
): Promise<Buffer | Fault> {
  try {
    // The server makes every request as one that is guarded.
    const sender = { address, request: koa.req as GuardedRequest };
    const form = await inPlace(ctx, link, sender, () => bodyBytes(koa, bytesMax + formBytesMax));
    const file = fileInForm(form, koa.get('Content-Type'), field);
    if (file === undefined || file.length === 0) return missing;
    return file.length > bytesMax ? 'too_heavy' : file;
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return 'too_heavy';
    throw error;
  }
}
