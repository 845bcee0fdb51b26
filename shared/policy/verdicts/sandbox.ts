import type { Environment, Method, Scenario } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import { verificationMethods } from '../methods/table.ts';
import { assuranceOf } from './assurance.ts';

type Wanted = { method: Method; sandbox: { scenario: Scenario; auto_complete: boolean } };

/** The verdict that a create brings at once. Null if the verification stays pending, as each one of live does. */
export const decisionAtOnce = (environment: Environment, { method, sandbox }: Wanted): Decision | null =>
  environment === 'sandbox' && sandbox.auto_complete ? sandboxDecision(method, sandbox.scenario) : null;

/** The verdict of a sandbox verification. The outcome is the scenario (specification 3; decision 12). */
export function sandboxDecision(method: Method, scenario: Scenario): Decision {
  const { sandbox } = verificationMethods[method];
  const exception = scenario === 'approved' ? undefined : sandbox[scenario];
  return {
    outcome: scenario,
    assuranceLevel: assuranceOf(method, scenario),
    reasonIds: [exception?.reason ?? 'all_checks_passed'],
    checks: sandbox.kinds.map((kind) =>
      exception?.check.kind === kind
        ? exception.check
        : { kind, result: 'passed', confidence: sandbox.passedConfidence },
    ),
    reviewed: false,
  };
}
