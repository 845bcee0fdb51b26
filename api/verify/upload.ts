import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Link } from '#services/flow/find-link.ts';
import { bodyBytes } from '../middleware/body.ts';
import { fileInForm } from '../pages/file-in-form.ts';
import type { ApiContext } from '../state.ts';
import type { Fault } from './text-fields.ts';

/**
 * The largest numbers of uploads that may arrive at the same time. They are limited because each upload may hold a picture in
 * memory. Many people may share one address, for example that of an office, a mobile network or a proxy. The sandbox and live
 * uploads of an organisation count separately.
 */
const arrivingMax = { process: 40, organisation: 32, address: 24 } as const;
const groups = ['process', 'organisation', 'address'] as const;

/**
 * If a number of `arrivingMax` is reached, a new upload ends the slowest upload whose average rate is below `bytesPerMsMax`. An
 * upload is rated only after `ratedAfterMs`.
 */
const slow = { bytesPerMsMax: 64, ratedAfterMs: 1_000 } as const;

type Arriving = {
  process: 'this';
  organisation: string;
  address: string;
  request: IncomingMessage;
  startedMs: number;
  /** The bytes that the connection had received before this upload. */
  bytesBefore: number;
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

/** Limits the uploads of an address, of an organisation and of the process that arrive at the same time. */
async function inPlace<Result>(
  { orgId, environment }: Link,
  { address, request }: Pick<Arriving, 'address' | 'request'>,
  receive: () => Promise<Result>,
): Promise<Result> {
  const added: Arriving = {
    ...{ process: 'this', organisation: `${orgId}/${environment}`, address, request },
    startedMs: performance.now(),
    bytesBefore: request.socket.bytesRead,
  };
  makeRoom(added);
  arriving.add(added);
  try {
    return await receive();
  } finally {
    arriving.delete(added);
  }
}

/**
 * Ends the slowest upload of each full group, if it is slow. Otherwise senders that stop in the middle could keep everybody else
 * out. If no upload of a full group is slow, the new one is refused and none is ended.
 */
function makeRoom(added: Arriving): void {
  const ended = new Set<Arriving>();
  for (const group of groups) {
    const others = [...arriving].filter((each) => each[group] === added[group] && !ended.has(each));
    if (others.length < arrivingMax[group]) continue;
    const [slowest] = others.filter(isSlow).sort((a, b) => rateOf(a) - rateOf(b));
    if (slowest === undefined) throw new Problem('service_unavailable');
    ended.add(slowest);
  }
  for (const each of ended) {
    arriving.delete(each);
    each.request.destroy();
  }
}

const isSlow = (upload: Arriving): boolean =>
  performance.now() - upload.startedMs > slow.ratedAfterMs && rateOf(upload) < slow.bytesPerMsMax;

/** In bytes per millisecond. */
const rateOf = ({ request, bytesBefore, startedMs }: Arriving): number =>
  (request.socket.bytesRead - bytesBefore) / (performance.now() - startedMs);

/** The bytes that a form may have besides its picture. */
const formBytesMax = 4 * 1024;

export async function pictureIn(koa: ApiContext, link: Link, address: string): Promise<Buffer | Fault> {
  try {
    const sender = { address, request: koa.req };
    const form = await inPlace(link, sender, () => bodyBytes(koa, limits.pictureSizeBytesMax + formBytesMax));
    const picture = fileInForm(form, koa.get('Content-Type'), 'picture');
    return picture === undefined || picture.length === 0 ? 'no_picture' : picture;
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return 'too_heavy';
    throw error;
  }
}
