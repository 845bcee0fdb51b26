import { Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Link } from '#services/flow/find-link.ts';
import { bodyBytes } from '../middleware/json-body.ts';
import type { ApiContext } from '../state.ts';
import { fileInForm } from './file-in-form.ts';
import type { Fault } from './text-fields.ts';

/**
 * The numbers of uploads that may run at the same time, since each upload may hold a picture in memory. The sandbox and live
 * uploads of an organisation count separately.
 */
const uploadsMax = { process: 24, organisation: 8 } as const;

/** The open uploads. The key is the id of the verification, and the value is its organisation and environment. */
const uploads = new Map<string, string>();

/** Allows one upload at a time per link, and limits the uploads of an organisation and of the process. */
export async function oneUpload(
  { id, orgId, environment }: Link,
  upload: () => Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  if (uploads.has(id)) return 'still_sending';
  const owner = `${orgId}/${environment}`;
  const ofOwner = [...uploads.values()].filter((each) => each === owner).length;
  if (uploads.size >= uploadsMax.process || ofOwner >= uploadsMax.organisation)
    throw new Problem('service_unavailable');
  uploads.set(id, owner);
  try {
    return await upload();
  } finally {
    uploads.delete(id);
  }
}

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
