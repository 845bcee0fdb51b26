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
import { ownReference, sandboxSettings, timestamp, uuid } from './fields.ts';
import { listOf } from './list.ts';

/**
 * The body of POST /verifications (specification 4.1). The fingerprint of a request is calculated before the defaults are filled
 * in.
 */
export const CreateVerification = z
  .strictObject({
    method: z.enum(methods).default(defaultMethod).describe('How the end user is identified.'),
    reference: ownReference,
    sandbox: sandboxSettings('verification'),
  })
  .meta({ id: 'CreateVerification' });
export type CreateVerification = z.output<typeof CreateVerification>;

/** The body of POST /verifications/{id}/complete (decision 8). */
export const CompleteVerification = z
  .strictObject({
    scenario: z
      .enum(scenarios)
      .optional()
      .describe('The outcome of the verdict. Without it the scenario given at creation is used.'),
  })
  .meta({ id: 'CompleteVerification' });
export type CompleteVerification = z.output<typeof CompleteVerification>;

/** The verdict of a verification (specification 2.2). */
export const Verdict = z
  .strictObject({
    outcome: z.enum(outcomes),
    assurance_level: z.enum(assuranceLevels).nullable(),
    reasons: z.array(z.string()).describe('The reasons for the outcome, in plain English.'),
    reviewed: z.boolean().describe('Whether a person has made the final assessment.'),
  })
  .meta({
    id: 'Verdict',
    description:
      'The face comparison of `document_liveness` is only an indication, and a human makes the final assessment. Never present an outcome as biometric proof on its own.',
  });

/** A verification in answers of REST (specification 2.1). */
export const Verification = z
  .strictObject({
    id: uuid,
    object: z.literal('verification'),
    status: z
      .enum(verificationStatuses)
      .describe('`in_progress` once the end user has consented and pressed Start.'),
    environment: z.enum(environments).describe('The environment of the key.'),
    method: z.enum(methods),
    reference: z.string().nullable().describe('Your own reference; null if you gave none.'),
    verify_url: z
      .url()
      .describe(
        'The link for your end user. Anyone who has it can continue the verification, so do not log it. To a key without `verify:create` it is the address of the page alone, which opens nothing.',
      ),
    verdict: Verdict.nullable().describe('Null until the verification is completed.'),
    dossier_ref: z.string().nullable().describe('The reference of the audit dossier.'),
    created_at: timestamp,
  })
  .meta({ id: 'Verification' });
export type Verification = z.output<typeof Verification>;

/** The answer of GET /verifications (specification 2.3). */
export const VerificationList = listOf(Verification).meta({ id: 'VerificationList' });
export type VerificationList = z.output<typeof VerificationList>;
