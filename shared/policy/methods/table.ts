import type { Method } from '#contract/enums.ts';
import { documentLiveness } from './document-liveness.ts';
import { documentOnly } from './document-only.ts';
import { idin } from './idin.ts';
import { income } from './income.ts';
import type { VerificationMethod } from './method.ts';

/** Every method. The compiler requires a row for every name of `allMethods` in `enums.ts`. */
export const verificationMethods: Readonly<Record<Method, VerificationMethod>> = {
  document_liveness: documentLiveness,
  idin,
  document_only: documentOnly,
  income,
};
