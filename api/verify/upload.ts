import type { IncomingMessage } from 'node:http';
import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Link } from '#services/flow/find-link.ts';
import { bodyBytes } from '../middleware/body.ts';
import type { ApiContext } from '../state.ts';
import { fileInForm } from './file-in-form.ts';
import type { Fault } from './text-fields.ts';

/**
 * The numbers of uploads that may run at the same time, since each upload may hold a picture in memory. An address may belong to an
 * office or to a mobile network. The sandbox and live uploads of an organisation count separately.
 */
const uploadsMax = { process: 64, organisation: 32, address: 16 } as const;

/** An upload can be ended in favour of a new one only after this time, because its rate is not known before. */
const ratedAfterMs = 1_000;

type Sender = { address: string; request: IncomingMessage };

type Upload = Sender & {
  organisation: string;
  process: 'this';
  startedMs: number;
  /** The bytes that the connection had received before this upload. */
  bytesBefore: number;
};

/** The open uploads, by the id of their verification. */
const uploads = new Map<string, Upload>();

/** Allows one upload at a time per link, and limits the uploads of an address, of an organisation and of the process. */
export async function oneUpload(
  { id, orgId, environment }: Link,
  { address, request }: Sender,
  upload: () => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  if (uploads.has(id)) return 'still_sending';
  const organisation = `${orgId}/${environment}`;
  const startedMs = performance.now();
  const bytesBefore = request.socket.bytesRead;
  const added = { organisation, address, process: 'this', request, startedMs, bytesBefore } as const;
  for (const group of ['address', 'organisation', 'process'] as const) makeRoom(group, added);
  uploads.set(id, added);
  try {
    return await upload();
  } finally {
    if (uploads.get(id) === added) uploads.delete(id);
  }
}

/**
 * If the group of the new upload is full, ends the slowest upload of that group. Otherwise senders that stop in the middle could keep
 * everybody else out.
 */
function makeRoom(group: keyof typeof uploadsMax, added: Upload): void {
  const others = [...uploads].filter(([, each]) => each[group] === added[group]);
  if (others.length < uploadsMax[group]) return;
  const rated = others.filter(
    ([, { request, startedMs }]) => !request.complete && added.startedMs - startedMs > ratedAfterMs,
  );
  const [slowest] = rated.sort(([, a], [, b]) => rateOf(a) - rateOf(b));
  if (slowest === undefined) throw new Problem('service_unavailable');
  const [id, { request }] = slowest;
  uploads.delete(id);
  request.destroy();
}

/** In bytes per millisecond. */
const rateOf = ({ request, bytesBefore, startedMs }: Upload): number =>
  (request.socket.bytesRead - bytesBefore) / (performance.now() - startedMs);

/** The bytes that a form may have besides its picture. */
const formBytesMax = 4 * 1024;

export async function pictureIn(koa: ApiContext): Promise<Buffer | Fault> {
  try {
    const form = await bodyBytes(koa, limits.pictureSizeBytesMax + formBytesMax);
    const picture = fileInForm(form, koa.get('Content-Type'), 'picture');
    return picture === undefined || picture.length === 0 ? 'no_picture' : picture;
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return 'too_heavy';
    throw error;
  }
}
