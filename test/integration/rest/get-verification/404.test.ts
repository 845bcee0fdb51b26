import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const read = (id: string, withKey = key) => call(harness, 'GET', `/v1/verifications/${id}`, { key: withKey });
// biome-ignore lint/suspicious/noExplicitAny: any answer
const withoutRequestId = ({ status, json }: { status: number; json: any }) => ({
  status,
  error: { ...json.error, request_id: '' },
});

test('an unknown id, a malformed one, and one of another organisation or environment are all the same 404', async () => {
  covers(
    '4.1/get-404',
    '7.1/404',
    '1/organisation-isolation',
    '5/key-determines-environment-and-organisation',
  );
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  expect((await read(json.id)).status).toBe(200);
  const foreign = await harness.key({ org: 'Other' });
  const live = await harness.key({ environment: 'live' });
  const unknown = await read(randomUUID());
  expect(unknown.status).toBe(404);
  expect(unknown.json.error).toMatchObject({ type: 'not_found_error', code: 'verification_not_found' });

  const others = [
    await read('not-a-uuid'),
    await read('%00'),
    await read('%E0%A4%A'),
    await read(json.id, foreign.key),
    await read(json.id, live.key),
  ];
  for (const other of others) expect(withoutRequestId(other)).toEqual(withoutRequestId(unknown));
});
