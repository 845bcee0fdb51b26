import { findFirstSteps } from '#store/organisations/first-steps.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';

/** What a new organisation does, in the order in which it does it. */
export const firstSteps = [
  'sandboxKey',
  'verification',
  'webhook',
  'appearance',
  'member',
  'liveKey',
] as const;

export type FirstStep = (typeof firstSteps)[number];

/** Which of the steps are done. Rows alone say so. */
export async function readFirstSteps(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
): Promise<Record<FirstStep, boolean>> {
  assertMay(caller, 'organisation.see');
  return findFirstSteps(caller.scope, store.db);
}
