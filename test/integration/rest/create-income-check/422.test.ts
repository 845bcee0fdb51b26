import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

const create = async (body: unknown, withKey = key) =>
  (await call(harness, 'POST', '/v1/income-checks', { key: withKey, body })).json.error;

test.each([
  [{ refrence: 'x' }, 'refrence is not a known field.'],
  [{ reference: 'x'.repeat(201) }, 'reference must be at most 200 characters.'],
  [{ document_types: [] }, 'document_types must not be empty.'],
  [{ document_types: ['payslip', 'payslip'] }, 'document_types must not repeat a value.'],
  [{ document_types: ['passport'] }, /^document_types\.0 must be one of payslip, /],
  [{ verification_id: 'x' }, 'verification_id is invalid.'],
  [{ sandbox: { scenario: 'maybe' } }, 'sandbox.scenario must be one of approved, review, rejected.'],
])('%j names the field at fault, and nothing is started', async (body, message) => {
  const error = await create(body);
  expect(error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_parameter' });
  expect(error.message).toMatch(message);
  expect(await harness.rows`select from requests`).toEqual([]);
});

test('a verification that is unknown, foreign or an income check is no verification of the same person', async () => {
  const other = await harness.key({ org: 'Other' });
  const live = await harness.key({ environment: 'live' });
  const foreign = [other, live].map(
    async (at) =>
      (
        await call(harness, 'POST', '/v1/verifications', {
          key: at.key,
          body: { sandbox: { auto_complete: false } },
        })
      ).json.id,
  );
  const mine = { key, body: { sandbox: { auto_complete: false } } };
  const { json: incomeCheck } = await call(harness, 'POST', '/v1/income-checks', mine);
  for (const id of [randomUUID(), incomeCheck.id, ...(await Promise.all(foreign))])
    expect(await create({ verification_id: id })).toMatchObject({
      code: 'invalid_parameter',
      message: 'verification_id must be the id of a verification of this environment.',
    });
});
