import type { MadeCheck } from '#contract/examinations.ts';
import type { Decision } from '#contract/workflows.ts';

/** A verdict as the ledger has it. */
export const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});

/** What made each check, by which rule, and why a check could not be made, as the ledger has it beside a verdict. */
export const makingsForLedger = (made: readonly MadeCheck[]) => {
  const makings = made.map(({ kind, engine, threshold, finding }) => ({ kind, engine, threshold, finding }));
  return makings.length === 0 ? {} : { makings };
};
