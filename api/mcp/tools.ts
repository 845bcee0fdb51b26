import { type Environment, environments } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import {
  AgentHealth,
  AgentVerification,
  AgentVerificationList,
  AgentWebhookList,
  CompleteByAgent,
  CreateAgentWebhook,
  CreatedAgentWebhook,
  GetVerification,
  ListVerifications,
  NoArguments,
  StartedVerification,
  StartVerification,
} from '#contract/tools.ts';
import { completeByAgent } from '#services/agent/complete-verification.ts';
import { readVerification } from '#services/agent/get-verification.ts';
import { agentHealth } from '#services/agent/health.ts';
import { findVerifications } from '#services/agent/list-verifications.ts';
import { followWebhooks } from '#services/agent/list-webhooks.ts';
import { startVerification } from '#services/agent/start-verification.ts';
import { createWebhook } from '#services/webhooks/create.ts';
import { reads, type Tool, tool, writes, writesOnce } from './tool.ts';

export const tools: readonly Tool[] = [
  tool({
    name: 'health',
    title: 'Check the connection',
    description:
      'Tells that the service is reached, whether this key works in sandbox (predictable, free) or in live (real people), and which scopes it has. Use it first, or when another tool is refused. Returns no customer data.',
    grant: null,
    environments,
    input: NoArguments,
    output: AgentHealth,
    annotations: reads,
    run: agentHealth,
  }),
  tool({
    name: 'start_verification',
    title: 'Start an identity verification',
    description:
      'Starts the identity verification of one person. Returns its id, a verify_url and next_step: what has to happen now. In live, give verify_url to that person, who completes the verification there; you cannot do it for them. Keep the id, and follow up with get_verification. Each call starts another verification: after an error look with list_verifications before you repeat it. Needs scope verify:create.',
    grant: 'verify:create',
    environments,
    input: StartVerification,
    output: StartedVerification,
    annotations: writes,
    run: startVerification,
  }),
  tool({
    name: 'get_verification',
    title: 'Look up a verification',
    description:
      'Tells where one verification stands: pending (the person has not started), in_progress, or completed. Once completed, verdict holds the outcome (approved, review or rejected), the assurance level and the individual checks with their confidence; review means that a person still has to decide. The face comparison (check face_match) only indicates: a human makes the final assessment, so never present an outcome as biometric proof that stands alone. Returns no personal data and no link. If it is not completed, wait at least a minute before you ask again. Needs scope verify:read.',
    grant: 'verify:read',
    environments,
    input: GetVerification,
    output: AgentVerification,
    annotations: reads,
    run: readVerification,
  }),
  tool({
    name: 'list_verifications',
    title: 'List verifications',
    description: `Lists the verifications of this organisation in the environment of the key, newest first, at most ${limits.agentListLimitMax} a call: id, status, method, outcome and date of each. Filter by status, or by the reference given at the start; the reference itself is never returned. When has_more is true, call again with starting_after set to next_starting_after. Use get_verification for the checks of one. Needs scope verify:read.`,
    grant: 'verify:read',
    environments,
    input: ListVerifications,
    output: AgentVerificationList,
    annotations: reads,
    run: findVerifications,
  }),
  tool({
    name: 'complete_verification',
    title: 'Complete a sandbox verification',
    description:
      'Sandbox only: stands in for the person and completes an open verification with the outcome of scenario, or without one with that given at its start. Returns the completed verification with its checks, and webhooks are sent. A completed verification stays as it is: a second call fails with already_completed. Needs scope verify:create.',
    grant: 'verify:create',
    environments: ['sandbox'],
    input: CompleteByAgent,
    output: AgentVerification,
    annotations: writesOnce,
    run: completeByAgent,
  }),
  tool({
    name: 'create_webhook',
    title: 'Register a webhook endpoint',
    description:
      'Registers a public https address that is told when a verification is completed, so that nobody needs to ask. Returns the endpoint with secret, which signs what is sent: it is shown this once, so store it where the receiver can read it, and do not repeat it in a conversation. With environment all, the default, the endpoint also gets events of live, whichever key registered it: ask the user before you register one. Afterwards list_webhooks shows how deliveries go. Needs scope webhooks:manage.',
    grant: 'webhooks:manage',
    environments,
    input: CreateAgentWebhook,
    output: CreatedAgentWebhook,
    annotations: writes,
    run: createWebhook,
  }),
  tool({
    name: 'list_webhooks',
    title: 'List webhook endpoints',
    description: `Lists the newest ${limits.agentListLimitMax} webhook endpoints of this organisation, of both environments: whether each is active, and last_delivery, how the latest attempt to send it something went (delivered, retrying, failed or cancelled, with the HTTP status it answered). Use it to find out why events do not arrive. Returns no secrets. Needs scope webhooks:manage.`,
    grant: 'webhooks:manage',
    environments,
    input: NoArguments,
    output: AgentWebhookList,
    annotations: reads,
    run: followWebhooks,
  }),
];

const namesOf = (environment: Environment) =>
  new Map(tools.filter((each) => each.environments.includes(environment)).map((each) => [each.name, each]));

/** The tools of each environment by name: what is not among them does not exist there, not even in the list. */
export const toolsOf: Readonly<Record<Environment, ReadonlyMap<string, Tool>>> = {
  sandbox: namesOf('sandbox'),
  live: namesOf('live'),
};
