import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { routes } from '#api/rest/routes.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
const pending = { key, body: { sandbox: { auto_complete: false } } };
const { json: incomeCheck } = await call(harness, 'POST', '/v1/income-checks', pending);
const { json: verification } = await call(harness, 'POST', '/v1/verifications', pending);

const withId = (start: string) => routes.filter(({ path }) => path.startsWith(`${start}/:id`));

test.each(withId('/income-checks'))('$method $path knows no verification', async ({ method, path }) => {
  for (const id of [verification.id, randomUUID(), 'x'])
    expect((await call(harness, method, `/v1${path.replace(':id', id)}`, { key })).json.error.code).toBe(
      'income_check_not_found',
    );
});

test.each(withId('/verifications'))('$method $path knows no income check', async ({ method, path }) => {
  const { status, json } = await call(harness, method, `/v1${path.replace(':id', incomeCheck.id)}`, { key });
  expect([status, json.error.code]).toEqual([404, 'verification_not_found']);
});

test('nothing of the two was changed by that', async () => {
  for (const [path, { id }] of [
    ['income-checks', incomeCheck],
    ['verifications', verification],
  ] as const)
    expect((await call(harness, 'GET', `/v1/${path}/${id}`, { key })).json.status).toBe('pending');
});
