import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';

const harness = await startHarness();
const { key } = await harness.key();
const create = async (body?: object, withKey = key) =>
  (await call(harness, 'POST', '/v1/verifications', { key: withKey, body })).json;
const get = (id: unknown, withKey = key) =>
  callTool(harness, withKey, 'get_verification', { verification_id: id });

test('an open verification has its status and no verdict, a completed one its outcome and checks', async () => {
  covers(
    '4.2/get-verification',
    '4.2/get-verification-checks',
    '2.2/agent-checks-not-reasons',
    '4.3/reasons',
  );
  const pending = await create({ reference: 'klant-1', sandbox: { auto_complete: false } });
  const { headers: _, ...seen } = await get(pending.id);
  expect(seen).toEqual({
    id: pending.id,
    object: 'verification',
    status: 'pending',
    environment: 'sandbox',
    method: 'document_liveness',
    created_at: pending.created_at,
    verdict: null,
    isError: false,
  });
  const rejected = await create({ method: 'idin', sandbox: { scenario: 'rejected' } });
  expect(await get(rejected.id)).toMatchObject({
    status: 'completed',
    verdict: {
      outcome: 'rejected',
      assurance_level: 'low',
      reviewed: false,
      checks: [{ kind: 'eid_authentication', result: 'failed', confidence: 1 }],
    },
  });
});

test('what belongs to another organisation or environment is as unknown as what does not exist', async () => {
  covers('4.2/tool-failure-is-a-result', '1/organisation-isolation', '4.2/same-key');
  const foreign = await create(undefined, (await harness.key({ org: 'Other' })).key);
  const live = await create(undefined, (await harness.key({ environment: 'live' })).key);
  for (const id of [foreign.id, live.id, randomUUID()]) {
    const { isError, error } = await get(id);
    expect(isError).toBe(true);
    expect(error).toEqual({ code: 'verification_not_found', message: 'There is no such verification.' });
  }
});

test.each(['', 'x', 7, null, {}, "' or 1=1 --", '../../etc/passwd', 'x'.repeat(60_000)])(
  'an id that is none is refused, and not repeated',
  async (id) => {
    const { isError, error } = await get(id);
    expect(isError).toBe(true);
    expect(error.code).toBe('invalid_parameter');
    expect(error.message).toMatch(
      /^verification_id (is invalid|must be a string)\. Allowed arguments: verification_id \(required\)\.$/,
    );
  },
);

test('without its id it says that it is required', async () => {
  const { error } = await callTool(harness, key, 'get_verification');
  expect(error.message).toBe('verification_id is required. Allowed arguments: verification_id (required).');
});
