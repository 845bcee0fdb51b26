import { z } from 'zod';
import {
  assuranceLevels,
  environments,
  methods,
  outcomes,
  scenarios,
  verificationStatuses,
} from './enums.ts';
import { text, timestamp, uuid } from './fields.ts';
import { limits } from './limits.ts';
import { listOf } from './list.ts';

/** Body of POST /verifications (specification 4.1). Defaults are filled in here, after the fingerprint is taken. */
export const CreateVerification = z.strictObject({
  method: z.enum(methods).default('document_liveness'),
  reference: text(limits.referenceLengthMax).optional(),
  sandbox: z
    .strictObject({
      scenario: z.enum(scenarios).default('approved'),
      auto_complete: z.boolean().default(true),
    })
    .default({ scenario: 'approved', auto_complete: true }),
});
export type CreateVerification = z.output<typeof CreateVerification>;

/** Body of POST /verifications/{id}/complete; without `scenario` the one given at creation is used (decision 8). */
export const CompleteVerification = z.strictObject({ scenario: z.enum(scenarios).optional() });
export type CompleteVerification = z.output<typeof CompleteVerification>;

/** Specification 2.2. */
export const Verdict = z.strictObject({
  outcome: z.enum(outcomes),
  assurance_level: z.enum(assuranceLevels).nullable(),
  reasons: z.array(z.string()),
  reviewed: z.boolean(),
});

/** Specification 2.1. */
export const Verification = z.strictObject({
  id: uuid,
  object: z.literal('verification'),
  status: z.enum(verificationStatuses),
  environment: z.enum(environments),
  method: z.enum(methods),
  reference: z.string().nullable(),
  verify_url: z.url(),
  verdict: Verdict.nullable(),
  dossier_ref: z.string().nullable(),
  created_at: timestamp,
});
export type Verification = z.output<typeof Verification>;

/** Specification 2.3. */
export const VerificationList = listOf(Verification);
export type VerificationList = z.output<typeof VerificationList>;
