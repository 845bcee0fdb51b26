import { z } from 'zod';
import {
  checkKinds,
  checkResults,
  deliveryStatuses,
  environments,
  grants,
  verificationStatuses,
} from './enums.ts';
import type { ErrorCode } from './errors.ts';
import { storableText, timestamp, uuid } from './fields.ts';
import { Health } from './health.ts';
import { limits } from './limits.ts';
import { listOf } from './list.ts';
import { CompleteVerification, CreateVerification, Verdict, Verification } from './verification.ts';
import { CreatedWebhookEndpoint, CreateWebhook, WebhookEndpoint } from './webhook.ts';

/**
 * This file defines the inputs and outputs of the tools (specification 4.2 and 4.3; decision 27). Every output except
 * `CreatedAgentWebhook` names its fields one by one. A new field of REST therefore reaches agents only after someone has added the
 * field here.
 */

const verificationId = uuid.describe('The id of a verification, a UUID, as start_verification returned it.');

export const NoArguments = z.strictObject({});

const sandbox = CreateVerification.shape.sandbox.unwrap().shape;

export const StartVerification = z.strictObject({
  method: CreateVerification.shape.method,
  reference: CreateVerification.shape.reference.describe(
    'Your own reference, at most 200 characters, to filter by in list_verifications. Tools never return it. It must not contain personal data.',
  ),
  sandbox_scenario: sandbox.scenario.describe(
    'With a sandbox key: the outcome of the verdict. It has no effect with a live key.',
  ),
  auto_complete: sandbox.auto_complete.describe(
    'With a sandbox key: true completes the verification at once, false leaves it pending, as in live. It has no effect with a live key.',
  ),
});
export type StartVerification = z.output<typeof StartVerification>;

export const GetVerification = z.strictObject({ verification_id: verificationId });
export type GetVerification = z.output<typeof GetVerification>;

const pageLimit = z
  .int()
  .refine((wanted) => wanted >= 1, 'must be an integer of at least 1')
  .default(limits.listLimitDefault)
  .meta({ minimum: 1 });

export const ListVerifications = z.strictObject({
  limit: pageLimit.describe(
    `The maximum number of rows. A number above ${limits.agentListLimitMax} counts as ${limits.agentListLimitMax}.`,
  ),
  status: z.enum(verificationStatuses).optional().describe('Only verifications with this status.'),
  reference: CreateVerification.shape.reference.describe(
    'Only verifications that were started with exactly this reference.',
  ),
  starting_after: storableText
    .optional()
    .describe(
      'For the next page: next_starting_after of the previous page. Without it the list starts with the newest.',
    ),
});
export type ListVerifications = z.output<typeof ListVerifications>;

export const CompleteByAgent = z.strictObject({
  verification_id: verificationId,
  scenario: CompleteVerification.shape.scenario,
});
export type CompleteByAgent = z.output<typeof CompleteByAgent>;

export const CreateAgentWebhook = z.strictObject(CreateWebhook.shape);

/** The health of the service, together with the environment and the rights of the key. */
export const AgentHealth = z.strictObject({
  ...Health.pick({ status: true, version: true }).shape,
  environment: z.enum(environments).describe('sandbox: predictable and free. live: real people.'),
  scopes: z.array(z.enum(grants)).describe('The rights of the key; each tool that needs one says so.'),
});
export type AgentHealth = z.output<typeof AgentHealth>;

/** Agents receive the checks of a verdict instead of its reasons (specification 2.2). */
export const Check = z.strictObject({
  kind: z.enum(checkKinds),
  result: z.enum(checkResults),
  confidence: z.number().min(0).max(1).describe('How certain the result is, from 0 to 1.'),
});

export const AgentVerdict = z.strictObject({
  ...Verdict.pick({ outcome: true, assurance_level: true, reviewed: true }).shape,
  checks: z
    .array(Check)
    .describe('The individual checks. face_match is only an indication: a human makes the final assessment.'),
});
export type AgentVerdict = z.output<typeof AgentVerdict>;

export const AgentVerification = z.strictObject({
  ...Verification.pick({
    id: true,
    object: true,
    status: true,
    environment: true,
    method: true,
    created_at: true,
  }).shape,
  verdict: AgentVerdict.nullable().describe('Null until status is completed.'),
});
export type AgentVerification = z.output<typeof AgentVerification>;

/** No other output contains the link for the person (specification 4.3). */
export const StartedVerification = z.strictObject({
  ...AgentVerification.shape,
  verify_url: z
    .url()
    .describe(
      'The link for the person to verify, and for nobody else. It is shown only this once: no other tool returns it.',
    ),
  next_step: z.string().describe('What has to happen now, and how to learn the result.'),
});
export type StartedVerification = z.output<typeof StartedVerification>;

export const AgentVerificationRow = z.strictObject({
  ...Verification.pick({ id: true, status: true, method: true }).shape,
  outcome: Verdict.shape.outcome.nullable().describe('Null until status is completed.'),
  created_at: Verification.shape.created_at,
});
export type AgentVerificationRow = z.output<typeof AgentVerificationRow>;

export const AgentVerificationList = listOf(AgentVerificationRow);
export type AgentVerificationList = z.output<typeof AgentVerificationList>;

export const LastDelivery = z.strictObject({
  event_type: z.string(),
  status: z.enum(deliveryStatuses).exclude(['pending']),
  attempts: z.int(),
  last_attempt_at: timestamp,
  response_status: z.int().nullable().describe('The HTTP status of the answer. Null if there was none.'),
});
export type LastDelivery = z.output<typeof LastDelivery>;

export const AgentWebhook = z.strictObject({
  ...WebhookEndpoint.pick({
    id: true,
    object: true,
    url: true,
    description: true,
    event_types: true,
    environment: true,
    active: true,
    created_at: true,
  }).shape,
  last_delivery: LastDelivery.nullable().describe('Null before the first attempt.'),
});
export type AgentWebhook = z.output<typeof AgentWebhook>;

export const AgentWebhookList = listOf(AgentWebhook);
export type AgentWebhookList = z.output<typeof AgentWebhookList>;

export const CreatedAgentWebhook = z.strictObject(CreatedWebhookEndpoint.shape);

/** Every error that a tool can return as its result. */
export const toolErrorCodes = [
  'invalid_parameter',
  'invalid_cursor',
  'invalid_url',
  'method_not_available',
  'verification_not_found',
  'already_completed',
  'too_many_webhooks',
  'internal_error',
  'organisation_paused',
  'overloaded',
  'service_unavailable',
] as const satisfies ErrorCode[];

/** The result of a tool that failed. `isError` is true in such a result (decision 27). */
export const ToolError = z.strictObject({
  error: z.strictObject({ code: z.enum(toolErrorCodes), message: z.string() }),
});
export type ToolError = z.output<typeof ToolError>;
