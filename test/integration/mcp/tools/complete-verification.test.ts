import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool, message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness();
const { key } = await harness.key();
const open = async (scenario = 'approved') =>
  (await callTool(harness, key, 'start_verification', { auto_complete: false, sandbox_scenario: scenario }))
    .id;
const complete = (given: Record<string, unknown>) => callTool(harness, key, 'complete_verification', given);

test('an open verification is completed with the given scenario, or with that of its start', async () => {
  covers('4.2/complete-verification');
  expect(await complete({ verification_id: await open(), scenario: 'rejected' })).toMatchObject({
    status: 'completed',
    isError: false,
    verdict: { outcome: 'rejected', checks: sandboxDecision('document_liveness', 'rejected').checks },
  });
  const { verdict, ...rest } = await complete({ verification_id: await open('review') });
  expect(verdict.outcome).toBe('review');
  expect(rest).not.toHaveProperty('verify_url');
});

test('null for the scenario is as if it were absent', async () => {
  const completed = await complete({ verification_id: await open('review'), scenario: null });
  expect([completed.isError, completed.verdict.outcome]).toEqual([false, 'review']);
});

test('of two calls at once one completes the verification, and the other says that it is completed', async () => {
  covers('4.2/tool-failure-is-a-result');
  const id = await open();
  const results = await Promise.all(
    ['approved', 'rejected'].map((scenario) => complete({ verification_id: id, scenario })),
  );
  expect(results.map(({ error }) => error?.code).sort()).toEqual(['already_completed', undefined]);
  expect((await complete({ verification_id: id })).error.code).toBe('already_completed');
});

test('an unknown verification, or one of another organisation, is not found', async () => {
  const { key: other } = await harness.key({ org: 'Other' });
  const foreign = await callTool(harness, other, 'start_verification', { auto_complete: false });
  for (const id of [randomUUID(), foreign.id])
    expect((await complete({ verification_id: id })).error.code).toBe('verification_not_found');
});

test('with a live key there is no such tool, with its scope or without', async () => {
  covers('4.2/complete-verification-sandbox-only', '7.2/-32602', '1/api-completion-sandbox-only');
  for (const grants of [['verify:create' as const], []]) {
    const { key: live } = await harness.key({ environment: 'live', grants });
    const { status, json } = await rpc(
      harness,
      message('tools/call', { name: 'complete_verification', arguments: { verification_id: randomUUID() } }),
      { key: live },
    );
    expect([status, json.error.code]).toEqual([200, -32602]);
  }
});

test('REST shows as completed what the agent completed', async () => {
  const id = await open();
  await complete({ verification_id: id, scenario: 'review' });
  const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key });
  expect([json.status, json.verdict.outcome]).toEqual(['completed', 'review']);
});
