import { z } from 'zod';
import { limits } from './limits.ts';

const holdsOnlyStorableText = (text: string) => !text.includes('\u0000') && text.isWellFormed();
const lengthInCodePoints = (text: string) => [...text].length;

/** Text that Postgres can store (decision 4). */
export const storableText = z
  .string()
  .refine(holdsOnlyStorableText, 'must not contain U+0000 or a lone surrogate');

/** Storable text. `lengthMax` counts Unicode code points (decision 4). */
export const text = (lengthMax: number) =>
  storableText
    .refine((value) => lengthInCodePoints(value) <= lengthMax, `must be at most ${lengthMax} characters`)
    .meta({ maxLength: lengthMax });

/** The value of the header Idempotency-Key is printable ASCII (decision 21). */
export const idempotencyKeyText = z
  .string()
  .regex(/^[ -~]+$/)
  .max(limits.idempotencyKeyLengthMax);

export const timestamp = z.iso.datetime();
export const uuid = z.uuid();
