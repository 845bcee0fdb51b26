import type { Method } from '#contract/enums.ts';
import type { Check, Decision } from '#contract/workflows.ts';
import { assuranceOf } from './assurance.ts';
import { verificationMethods } from './methods/table.ts';

/** The verdict of a live verification. `found` are the checks that the examiner of the method made. */
export function decide(method: Method, found: readonly Check[]): Decision {
  const decision = verificationMethods[method].decide(found);
  return { ...decision, assuranceLevel: assuranceOf(method, decision.outcome), reviewed: false };
}
