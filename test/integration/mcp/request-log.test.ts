import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';
import { awaitLines } from '../request-log/support.ts';

const harness = await startHarness({ worker: false });

test('both interfaces write to one log, under the request id of the answer; a result that failed has its code', async () => {
  covers('4.2/same-request-log');
  const { key, id: keyId, organisationId } = await harness.key({ org: 'Logged', grants: ['verify:read'] });
  const tool = (name: string, given: object = {}) =>
    rpc(harness, message('tools/call', { name, arguments: given }), { key });
  const answers = [
    await call(harness, 'GET', '/v1/verifications', { key }),
    await rpc(harness, message('tools/list'), { key }),
    await tool('health'),
    await tool('get_verification', { verification_id: 'private' }),
    await tool('private'),
    await tool('list_webhooks'),
    await rpc(harness, message('private'), { key }),
    await rpc(harness, undefined, { key, rawBody: '{private' }),
  ];
  const stored = await awaitLines(harness, keyId, answers.length);
  expect(stored).toHaveLength(answers.length);
  // Two lines of one millisecond are stored in no order, so they are read in the order of the answers.
  const lines = answers.map(({ headers }) =>
    stored.find(({ requestId }) => requestId === headers['x-request-id']),
  );
  expect(lines.map((line) => [line?.method, line?.path, line?.status, line?.code])).toEqual([
    ['GET', '/v1/verifications', 200, null],
    ['POST', '/mcp tools/list', 200, null],
    ['POST', '/mcp health', 200, null],
    ['POST', '/mcp get_verification', 200, 'invalid_parameter'],
    ['POST', '/mcp tools/call', 200, 'unknown_tool'],
    ['POST', '/mcp list_webhooks', 403, 'insufficient_scope'],
    ['POST', '/mcp', 200, 'unknown_method'],
    ['POST', '/mcp', 400, 'invalid_json'],
  ]);
  expect(new Set(lines.map((line) => line?.orgId))).toEqual(new Set([organisationId]));
  expect(JSON.stringify(lines)).not.toContain('private');
});
