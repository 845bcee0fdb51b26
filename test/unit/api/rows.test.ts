import { expect, test } from 'vitest';
import { tool } from '#api/mcp/tool.ts';
import { tools } from '#api/mcp/tools.ts';
import { keyedRoutes } from '#api/rest/routes.ts';
import { type KeyedRoute, row } from '#api/rest/row.ts';
import { ListQuery } from '#contract/list.ts';
import {
  AgentHealth,
  AgentVerification,
  CompleteByAgent,
  GetVerification,
  ListVerifications,
} from '#contract/tools.ts';
import { CompleteVerification, Verification, VerificationList } from '#contract/verification.ts';
import { CreateWebhook, DeliveryListQuery, RotateSecret } from '#contract/webhook.ts';
import { completeByAgent } from '#services/agent/complete-verification.ts';
import { readVerification } from '#services/agent/get-verification.ts';
import { completeVerification } from '#services/verifications/complete.ts';
import { getVerification } from '#services/verifications/get.ts';
import { listVerifications } from '#services/verifications/list.ts';
import { createWebhook } from '#services/webhooks/create.ts';

/**
 * tsc checks this file. Each marked row is wrong in one way, and a line marked `@ts-expect-error` that compiles is an error itself.
 * The rows and tools without a mark are right, so that only the named fault can make a marked row fail.
 */

const given = {
  operation: 'anOperation',
  method: 'POST',
  tag: 'Verifications',
  summary: '',
  description: '',
  grant: 'verify:create',
} as const;
const complete = '/verifications/:id/complete';
const answer = { status: 200, schema: Verification, description: '' };
const page = { status: 200, schema: VerificationList, description: '' };

const rows: KeyedRoute[] = [
  row({ ...given, path: complete, body: CompleteVerification, success: answer, run: completeVerification }),
  // @ts-expect-error: the verb needs a url, and the body has none
  row({ ...given, path: complete, body: CompleteVerification, success: answer, run: createWebhook }),
  // @ts-expect-error: the verb would ignore overlap_hours
  row({ ...given, path: complete, body: RotateSecret, success: answer, run: completeVerification }),
  // @ts-expect-error: the verb needs the fields of a body, and the row has none
  row({ ...given, path: '/webhooks', success: answer, run: createWebhook }),
  // @ts-expect-error: the verb would ignore the whole body
  row({ ...given, path: '/verifications/:id', body: CreateWebhook, success: answer, run: getVerification }),
  // @ts-expect-error: the verb needs an id, and the path has none
  row({ ...given, path: '/verifications', success: answer, run: getVerification }),
  // @ts-expect-error: the verb would ignore the second id
  row({ ...given, path: '/verifications/:id/parts/:part_id', success: answer, run: getVerification }),
  // @ts-expect-error: the verb returns a verification, and the answer is a list
  row({ ...given, path: complete, body: CompleteVerification, success: page, run: completeVerification }),

  row({ ...given, path: '/verifications', query: ListQuery, success: page, run: listVerifications }),
  // @ts-expect-error: the verb would ignore the filter by status
  row({ ...given, path: '/verifications', query: DeliveryListQuery, success: page, run: listVerifications }),
  // @ts-expect-error: the verb needs a limit, and the row has no query
  row({ ...given, path: '/verifications', success: page, run: listVerifications }),

  // @ts-expect-error: a row that `row` has not checked
  { ...given, path: complete, body: CompleteVerification, success: answer, run: completeVerification },
];

const { annotations, environments } = tools[0] ?? expect.unreachable();
const named = { name: 'a_tool', title: '', description: '', grant: null, environments, annotations };

const agentRows = [
  tool({ ...named, input: GetVerification, output: AgentVerification, run: readVerification }),
  // @ts-expect-error: the verb returns a verification, and the output is the state of the service
  tool({ ...named, input: GetVerification, output: AgentHealth, run: readVerification }),
  // @ts-expect-error: the verb needs the id of a verification
  tool({ ...named, input: ListVerifications, output: AgentVerification, run: readVerification }),
  // @ts-expect-error: the verb would ignore the scenario
  tool({ ...named, input: CompleteByAgent, output: AgentVerification, run: readVerification }),

  tool({ ...named, input: CompleteByAgent, output: AgentVerification, run: completeByAgent }),
];

test('what is wrong with a row is found when it is compiled; running changes nothing about it', () => {
  expect(rows.every(({ run }) => typeof run === 'function')).toBe(true);
  expect(agentRows.every(({ run }) => typeof run === 'function')).toBe(true);
  expect(keyedRoutes.length + tools.length).toBeGreaterThan(15);
});
