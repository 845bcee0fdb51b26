import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test.each([{ scenario: 'maybe' }, { outcome: 'approved' }, []])('%j is invalid_parameter', async (body) => {
  const { key } = await harness.key();
  const id = '01a1fde6-32fd-7bb4-ab47-12a1081eaf6f';
  const { status, json } = await call(harness, 'POST', `/v1/verifications/${id}/complete`, { key, body });
  expect(status).toBe(422);
  expect(json.error.code).toBe('invalid_parameter');
});
