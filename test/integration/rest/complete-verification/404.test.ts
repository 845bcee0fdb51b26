import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test('an unknown, a malformed and a foreign id are verification_not_found, and the foreign one stays as it was', async () => {
  covers('4.1/complete-404', '7.1/404', '1/organisation-isolation');
  const owner = await harness.key();
  const foreign = await harness.key({ org: 'Other' });
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key: owner.key,
    body: { sandbox: { auto_complete: false } },
  });
  for (const id of [randomUUID(), 'x', json.id]) {
    const answer = await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key: foreign.key });
    expect(answer.status).toBe(404);
    expect(answer.json.error).toMatchObject({ type: 'not_found_error', code: 'verification_not_found' });
  }
  expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key: owner.key })).json.status).toBe(
    'pending',
  );
});
