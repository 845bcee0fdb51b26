import type { DecisionRule, Method } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import type { FoundCheck } from '../methods/method.ts';
import { verificationMethods } from '../methods/table.ts';
import { assuranceOf } from './assurance.ts';

/**
 * The verdict of a live verification. `found` are the checks that the examiners of the method made. `rule` is the setting of the
 * organisation (decision 44).
 */
export function decide(method: Method, found: readonly FoundCheck[], rule: DecisionRule): Decision {
  const decision = verificationMethods[method].decide(found, rule);
  return { ...decision, assuranceLevel: assuranceOf(method, decision.outcome), reviewed: false };
}
