import { z } from 'zod';
import { scenarios } from './enums.ts';
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

/** The field `reference` of a create (specification 4.1). */
export const ownReference = text(limits.referenceLengthMax)
  .optional()
  .describe(
    'Your own reference. Answers and webhooks contain it. Its length is counted in Unicode code points, and U+0000 is not allowed.',
  );

/** The field `sandbox` of a create (specification 4.1). `what` is created. */
export const sandboxSettings = (what: 'verification' | 'income check') =>
  z
    .strictObject({
      scenario: z.enum(scenarios).default('approved').describe('The outcome of the verdict.'),
      auto_complete: z.boolean().default(true).describe(`If false, the ${what} stays open, as in live.`),
    })
    .default({ scenario: 'approved', auto_complete: true })
    .describe('Settings for sandbox. They have no effect with a live key.');
