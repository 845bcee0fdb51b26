import { type FirstSteps, findFirstSteps } from '#store/organisations/first-steps.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';

/** What a new organisation does, in the order in which it does it. */
export const firstSteps: readonly FirstStep[] = [
  'sandboxKey',
  'verification',
  'webhook',
  'appearance',
  'member',
  'liveKey',
];

export type FirstStep = keyof FirstSteps;

/** Which of the steps are done. Rows alone say so. */
export async function readFirstSteps({ store }: Pick<Context, 'store'>, caller: Caller): Promise<FirstSteps> {
  assertMay(caller, 'organisation.see');
  return findFirstSteps(caller.scope, store.db);
}
