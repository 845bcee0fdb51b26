import type { AssuranceLevel, Method, Outcome } from '#contract/enums.ts';

/**
 * The assurance of a sandbox verdict (decision 9): an approval is worth `low` for a document alone and `substantial`
 * otherwise; doubt and rejection are always `low`. Never `high`: a web-only flow reads no chip.
 */
export const sandboxAssurance = (method: Method, outcome: Outcome): AssuranceLevel =>
  outcome === 'approved' && method !== 'document_only' ? 'substantial' : 'low';
