import type { Method } from '#contract/enums.ts';
import { documentLiveness } from './document-liveness.ts';
import { documentOnly } from './document-only.ts';
import { idin } from './idin.ts';
import type { VerificationMethod } from './method.ts';

/** Every method of verification. */
export const verificationMethods = {
  document_liveness: documentLiveness,
  idin,
  document_only: documentOnly,
} as const satisfies Record<Method, VerificationMethod>;
