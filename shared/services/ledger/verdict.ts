import type { Decision } from '#contract/workflows.ts';

/** A verdict as the ledger has it. */
export const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});
