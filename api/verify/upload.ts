import { Problem } from '#contract/errors.ts';
import { paperLimits } from '#contract/income/papers.ts';
import { limits } from '#contract/limits.ts';
import { frameLimits } from '#contract/movements.ts';
import type { Link } from '#services/flow/find-link.ts';
import { createArrivals } from '../arrivals.ts';
import type { GuardedRequest } from '../guarded-request.ts';
import { bodyBytes } from '../middleware/body.ts';
import { fileInForm } from '../pages/file-in-form.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext } from '../state.ts';
import type { Fault } from './texts/faults.ts';

/** The largest numbers of uploads that may arrive at the same time. */
const inPlace = createArrivals({ process: 40, organisation: 32, address: 24 });

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

/** The bytes that a form may have besides its file. */
const formBytesMax = 4 * 1024;

/** What a form brings: the name of its field, and the fault if nothing is in it. */
type Expected = { field: string; bytesMax: number; missing: Fault };

/** The forms of the pages that bring a file. */
export const uploads = {
  picture: { field: 'picture', bytesMax: limits.pictureSizeBytesMax, missing: 'no_picture' },
  movements: { field: 'picture', bytesMax: frameLimits.totalBytesMax, missing: 'not_frames' },
  paper: { field: 'paper', bytesMax: paperLimits.bytesMax, missing: 'no_paper' },
} as const satisfies Record<string, Expected>;

export async function fileIn(
  ctx: Pick<ServerContext, 'instruments' | 'log'>,
  koa: ApiContext,
  link: Link,
  { address, field, bytesMax, missing }: Expected & { address: string },
): Promise<Buffer | Fault> {
  try {
    // The server makes every request as one that is guarded.
    const sender = { owner: link, address, request: koa.req as GuardedRequest };
    const form = await inPlace(ctx, sender, () => bodyBytes(koa, bytesMax + formBytesMax));
    const file = fileInForm(form, koa.get('Content-Type'), field);
    if (file === undefined || file.length === 0) return missing;
    return file.length > bytesMax ? 'too_heavy' : file;
  } catch (error) {
    if (error instanceof Problem && error.code === 'body_too_large') return 'too_heavy';
    throw error;
  }
}
