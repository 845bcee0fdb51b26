import { z } from 'zod';
import {
  assuranceLevels,
  defaultMethod,
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
export const CreateVerification = z
  .strictObject({
    method: z.enum(methods).default(defaultMethod).describe('How the end user is identified.'),
    reference: text(limits.referenceLengthMax)
      .optional()
      .describe(
        'Your own reference, returned in answers and webhooks. Characters are Unicode code points; U+0000 is none of them.',
      ),
    sandbox: z
      .strictObject({
        scenario: z.enum(scenarios).default('approved').describe('The outcome of the verdict.'),
        auto_complete: z
          .boolean()
          .default(true)
          .describe('False keeps the verification pending, as it would be in live.'),
      })
      .default({ scenario: 'approved', auto_complete: true })
      .describe('How it goes in sandbox; without effect with a live key.'),
  })
  .meta({ id: 'CreateVerification' });
export type CreateVerification = z.output<typeof CreateVerification>;

/** Body of POST /verifications/{id}/complete; without `scenario` the one given at creation is used (decision 8). */
export const CompleteVerification = z
  .strictObject({
    scenario: z
      .enum(scenarios)
      .optional()
      .describe('The outcome of the verdict; without it the scenario given at creation.'),
  })
  .meta({ id: 'CompleteVerification' });
export type CompleteVerification = z.output<typeof CompleteVerification>;

/** Specification 2.2. */
export const Verdict = z
  .strictObject({
    outcome: z.enum(outcomes),
    assurance_level: z.enum(assuranceLevels).nullable(),
    reasons: z.array(z.string()).describe('Why, in plain English.'),
    reviewed: z.boolean().describe('Whether a person has made the final assessment.'),
  })
  .meta({
    id: 'Verdict',
    description:
      'The face comparison of `document_liveness` only indicates, and a person assesses finally: never present an outcome as biometric proof that stands alone.',
  });

/** Specification 2.1. */
export const Verification = z
  .strictObject({
    id: uuid,
    object: z.literal('verification'),
    status: z
      .enum(verificationStatuses)
      .describe('`in_progress` once the end user has consented and pressed Start.'),
    environment: z.enum(environments).describe("That of the key's prefix."),
    method: z.enum(methods),
    reference: z.string().nullable().describe('Your own reference, null when you gave none.'),
    verify_url: z
      .url()
      .describe('The link for your end user. Whoever has it can take part, so do not log it.'),
    verdict: Verdict.nullable().describe('Null until the verification is completed.'),
    dossier_ref: z.string().nullable().describe('Names the audit dossier.'),
    created_at: timestamp,
  })
  .meta({ id: 'Verification' });
export type Verification = z.output<typeof Verification>;

/** Specification 2.3. */
export const VerificationList = listOf(Verification).meta({ id: 'VerificationList' });
export type VerificationList = z.output<typeof VerificationList>;
