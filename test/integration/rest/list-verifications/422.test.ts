import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();
const errorFor = async (query: string, withKey = key) => {
  const { status, json } = await call(harness, 'GET', `/v1/verifications?${query}`, { key: withKey });
  return { status, ...json.error, request_id: undefined };
};

test.each(['0', '101', '-1', '1.5', '1e1', '0x10', 'x', '', '%20', '99999999999', '20%00'])(
  'limit=%s is no integer from 1 to 100',
  async (limit) => {
    covers('4.1/list-limit', '8/list-limit');
    expect(await errorFor(`limit=${limit}`)).toMatchObject({
      status: 422,
      code: 'invalid_parameter',
      message: 'limit must be an integer from 1 to 100.',
    });
  },
);

test('a parameter that is given twice, or misspelt, is named and not guessed at', async () => {
  expect(await errorFor('limit=1&limit=2')).toMatchObject({
    status: 422,
    code: 'invalid_parameter',
    message: 'limit must be a string.',
  });
  expect(await errorFor('startingAfter=1')).toMatchObject({
    status: 422,
    code: 'invalid_parameter',
    message: 'startingAfter is not a known field.',
  });
});

test('a cursor that this list does not have is invalid_cursor, whether unknown, malformed or foreign', async () => {
  covers('4.1/list-starting-after', '1/organisation-isolation');
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const foreign = await harness.key({ org: 'Other' });
  const live = await harness.key({ environment: 'live' });
  const unknown = await errorFor(`starting_after=${randomUUID()}`);
  expect(unknown).toMatchObject({ status: 422, type: 'invalid_request_error', code: 'invalid_cursor' });
  for (const cursor of ['', 'x', '%00', `${json.id}x`])
    expect(await errorFor(`starting_after=${cursor}`)).toEqual(unknown);
  for (const { key: other } of [foreign, live])
    expect(await errorFor(`starting_after=${json.id}`, other)).toEqual(unknown);
});
