import type { AssuranceLevel, Method, Outcome } from '#contract/enums.ts';
import { verificationMethods } from '../methods/table.ts';

/**
 * The assurance level of an outcome (decision 9). The level is never `high`, because the web flow cannot read the chip of a
 * document.
 */
export const assuranceOf = (method: Method, outcome: Outcome): AssuranceLevel =>
  outcome === 'approved' ? verificationMethods[method].assurance : 'low';
