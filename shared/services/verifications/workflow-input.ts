import type { Environment, Method, Scenario } from '#contract/enums.ts';
import type { VerificationInput } from '#contract/workflows.ts';

type Source = {
  id: string;
  orgId: string;
  environment: Environment;
  method: Method;
  scenario: Scenario | null;
  auto_complete?: boolean;
};

/** In live, the `sandbox` part of a request body is ignored (decision 17). */
export const workflowInput = (source: Source): VerificationInput => ({
  verificationId: source.id,
  orgId: source.orgId,
  environment: source.environment,
  method: source.method,
  sandbox:
    source.environment === 'sandbox'
      ? { scenario: source.scenario ?? 'approved', autoComplete: source.auto_complete ?? false }
      : null,
});
