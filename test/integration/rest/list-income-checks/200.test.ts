import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
const pending = { key, body: { sandbox: { auto_complete: false } } };
const create = async (path: string): Promise<string> =>
  (await call(harness, 'POST', `/v1${path}`, pending)).json.id;
const list = async (path: string) => (await call(harness, 'GET', `/v1${path}`, { key })).json;

test('each list has its own rows, newest first, page by page', async () => {
  covers('4.1/income-check-list');
  const ids: Record<string, string[]> = { '/income-checks': [], '/verifications': [] };
  for (let round = 0; round < 3; round++)
    for (const path of Object.keys(ids)) ids[path]?.unshift(await create(path));
  for (const [path, expected] of Object.entries(ids)) {
    const first = await list(`${path}?limit=2`);
    expect(first).toMatchObject({ object: 'list', has_more: true, next_starting_after: expected[1] });
    const second = await list(`${path}?limit=2&starting_after=${expected[1]}`);
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(expected);
    expect(second).toMatchObject({ has_more: false, next_starting_after: null });
  }
});

test('a row of the other list is no cursor', async () => {
  const [incomeCheck, verification] = [await create('/income-checks'), await create('/verifications')];
  const { json } = await call(harness, 'GET', `/v1/income-checks?starting_after=${verification}`, { key });
  expect(json.error?.code).toBe('invalid_cursor');
  const other = await call(harness, 'GET', `/v1/verifications?starting_after=${incomeCheck}`, { key });
  expect(other.json.error?.code).toBe('invalid_cursor');
});
