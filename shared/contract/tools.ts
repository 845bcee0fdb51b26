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
 * What goes into the tools of the agent interface and what comes out (specification 4.2 and 4.3; decision 27). Outputs name
 * the fields that they take over: a field that is new elsewhere appears here only once somebody writes it down.
 */

const verificationId = uuid.describe('The id of a verification, as start_verification returns it.');

export const NoArguments = z.strictObject({});

const sandbox = CreateVerification.shape.sandbox.unwrap().shape;

export const StartVerification = z.strictObject({
  method: CreateVerification.shape.method,
  reference: CreateVerification.shape.reference.describe(
    'A reference of your own, at most 200 characters, for list_verifications to filter by. Tools never return it. No personal data.',
  ),
  sandbox_scenario: sandbox.scenario.describe(
    'With a sandbox key: the outcome of the verdict. Without effect with a live key.',
  ),
  auto_complete: sandbox.auto_complete.describe(
    'With a sandbox key: true completes the verification at once, false leaves it pending as it would be in live. Without effect with a live key.',
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
    `How many to return; more than ${limits.agentListLimitMax} is read as ${limits.agentListLimitMax}.`,
  ),
  status: z.enum(verificationStatuses).optional().describe('Only those with this status.'),
  reference: CreateVerification.shape.reference.describe(
    'Only those that were started with exactly this reference.',
  ),
  starting_after: storableText
    .optional()
    .describe('For the next page: next_starting_after of the page before. Without it: the newest.'),
});
export type ListVerifications = z.output<typeof ListVerifications>;

export const CompleteByAgent = z.strictObject({
  verification_id: verificationId,
  scenario: CompleteVerification.shape.scenario,
});
export type CompleteByAgent = z.output<typeof CompleteByAgent>;

export const CreateAgentWebhook = z.strictObject(CreateWebhook.shape);

/** The environment of the key, and what the key may do. */
export const AgentHealth = z.strictObject({
  ...Health.pick({ status: true, version: true }).shape,
  environment: z.enum(environments).describe('sandbox: predictable and free. live: real people.'),
  scopes: z.array(z.enum(grants)).describe('The rights of the key; each tool that needs one says so.'),
});
export type AgentHealth = z.output<typeof AgentHealth>;

/** Specification 2.2: what the agent interface has in place of reasons. */
export const Check = z.strictObject({
  kind: z.enum(checkKinds),
  result: z.enum(checkResults),
  confidence: z.number().min(0).max(1).describe('How sure the check is of its result, from 0 to 1.'),
});

export const AgentVerdict = z.strictObject({
  ...Verdict.pick({ outcome: true, assurance_level: true, reviewed: true }).shape,
  checks: z
    .array(Check)
    .describe('What was checked. face_match only indicates: a person makes the final assessment.'),
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
  verdict: AgentVerdict.nullable().describe('null until status is completed.'),
});
export type AgentVerification = z.output<typeof AgentVerification>;

/** The only output with the link (specification 4.3). */
export const StartedVerification = z.strictObject({
  ...AgentVerification.shape,
  verify_url: z
    .url()
    .describe(
      'The link for the person to verify, for nobody else. It is shown this once: no other tool returns it.',
    ),
  next_step: z.string().describe('What has to happen now, and how to follow it up.'),
});
export type StartedVerification = z.output<typeof StartedVerification>;

export const AgentVerificationRow = z.strictObject({
  ...Verification.pick({ id: true, status: true, method: true }).shape,
  outcome: Verdict.shape.outcome.nullable().describe('null until status is completed.'),
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
  response_status: z
    .int()
    .nullable()
    .describe('The HTTP status that the endpoint answered with; null without an answer.'),
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
  last_delivery: LastDelivery.nullable().describe('null before any attempt.'),
});
export type AgentWebhook = z.output<typeof AgentWebhook>;

export const AgentWebhookList = listOf(AgentWebhook);
export type AgentWebhookList = z.output<typeof AgentWebhookList>;

export const CreatedAgentWebhook = z.strictObject(CreatedWebhookEndpoint.shape);

/** Why a tool can fail that exists and may be used. */
export const toolErrorCodes = [
  'invalid_parameter',
  'invalid_cursor',
  'invalid_url',
  'verification_not_found',
  'already_completed',
  'too_many_webhooks',
  'internal_error',
  'service_unavailable',
] as const satisfies ErrorCode[];

/** What a tool returns that could not do its work, with `isError` true (decision 27). */
export const ToolError = z.strictObject({
  error: z.strictObject({ code: z.enum(toolErrorCodes), message: z.string() }),
});
export type ToolError = z.output<typeof ToolError>;
