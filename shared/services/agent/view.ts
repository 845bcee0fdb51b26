import type { IdentityCheckKind } from '#contract/enums.ts';
import type { AgentVerdict, AgentVerification, AgentVerificationRow } from '#contract/tools.ts';
import type { Decision } from '#contract/workflows.ts';
import type { ChosenVerification } from '#store/verifications/verifications.ts';

/**
 * A verification as agents receive it (specification 4.3; decision 27). The sender of the answer validates it against its schema.
 */
export const agentView = (row: ChosenVerification & { verdict: Decision | null }): AgentVerification => ({
  id: row.id,
  object: 'verification',
  status: row.status,
  environment: row.environment,
  method: row.method,
  created_at: row.createdAt.toISOString(),
  verdict: row.verdict === null ? null : verdictOf(row.verdict),
});

const verdictOf = ({ outcome, assuranceLevel, reviewed, checks }: Decision): AgentVerdict => ({
  outcome,
  assurance_level: assuranceLevel,
  reviewed,
  checks: checks.map(({ kind, result, confidence }) => ({
    kind: kind as IdentityCheckKind,
    result,
    confidence,
  })),
});

/** A row of a list contains the outcome but not the checks. */
export const agentRow = (row: ChosenVerification): AgentVerificationRow => ({
  id: row.id,
  status: row.status,
  method: row.method,
  outcome: row.verdict?.outcome ?? null,
  created_at: row.createdAt.toISOString(),
});
