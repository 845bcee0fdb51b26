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
      'Checks that the service answers. Returns whether this key works in sandbox (predictable, free) or in live (real people), and which scopes it has. Use it first, or after another tool was refused. Returns no customer data.',
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
      'Starts the identity verification of one person. Returns its id, a verify_url, and next_step, which says what has to happen now. In live, give verify_url to that person, who completes the verification there; you cannot do it for them. A method that is not available in live fails with method_not_available: choose another. Keep the id and read the state later with get_verification. Each call starts a new verification: after an error, check with list_verifications before you call again. Needs scope verify:create.',
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
      'Returns the status of one verification: pending (the person has not started), in_progress, or completed. If it is completed, verdict holds the outcome (approved, review or rejected), the assurance level and the individual checks with their confidence; review means that a person still has to decide. The face comparison (check face_match) is only an indication: a human makes the final assessment, so never present an outcome as biometric proof on its own. Returns no personal data and no link. If it is not completed, wait at least a minute before you call again. Needs scope verify:read.',
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
    description: `Lists the verifications of this organisation in the environment of the key, newest first, at most ${limits.agentListLimitMax} per call, each with id, status, method, outcome and date. Filter by status, or by the reference given at the start; the reference itself is never returned. If has_more is true, call again with starting_after set to next_starting_after. Use get_verification to read the checks of one verification. Needs scope verify:read.`,
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
      'Sandbox only: acts in place of the person and completes an open verification. The outcome is that of scenario; without scenario, the one given at the start is used. Returns the completed verification with its checks, and sends webhooks. A completed verification does not change: a second call fails with already_completed. Needs scope verify:create.',
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
      'Registers a public https URL that receives an event when a verification is completed, so that you do not need to poll. Returns the endpoint with its secret, which signs the events. The secret is shown only this once: store it where the receiver can read it, and do not repeat it in a conversation. With environment all, the default, the endpoint also receives live events, even if a sandbox key registered it: ask the user before you register one. Later, list_webhooks shows how deliveries go. Needs scope webhooks:manage.',
    grant: 'webhooks:manage',
    environments,
    input: CreateAgentWebhook,
    output: CreatedAgentWebhook,
    annotations: { ...writes, openWorldHint: true },
    run: createWebhook,
  }),
  tool({
    name: 'list_webhooks',
    title: 'List webhook endpoints',
    description: `Lists the newest ${limits.agentListLimitMax} webhook endpoints of this organisation, of both environments. For each it says whether it is active, and last_delivery says how the latest delivery to it went (delivered, retrying, failed or cancelled, with the HTTP status of its answer). Use it to find out why events do not arrive. Returns no secrets. Needs scope webhooks:manage.`,
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

export const toolsOf: Readonly<Record<Environment, ReadonlyMap<string, Tool>>> = {
  sandbox: namesOf('sandbox'),
  live: namesOf('live'),
};
