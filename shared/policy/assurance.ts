import type { AssuranceLevel, Method, Outcome } from '#contract/enums.ts';
import { verificationMethods } from './methods/table.ts';

/** The assurance level of an outcome (decision 9). Never `high`: the web flow reads no chip. */
export const assuranceOf = (method: Method, outcome: Outcome): AssuranceLevel =>
  outcome === 'approved' ? verificationMethods[method].assurance : 'low';
