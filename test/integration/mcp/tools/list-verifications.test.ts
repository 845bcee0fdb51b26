import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';

const harness = await startHarness();
const list = async (key: string, given: Record<string, unknown> = {}) => {
  const { headers: _, ...result } = await callTool(harness, key, 'list_verifications', given);
  return result;
};
const create = async (key: string, body?: object) =>
  (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);

test('a row is id, status, method, outcome and date; the newest comes first', async () => {
  covers('4.2/list-verifications', '4.2/list-verifications-row');
  const { key } = await harness.key({ org: 'Rows' });
  expect(await list(key)).toEqual({
    object: 'list',
    data: [],
    has_more: false,
    next_starting_after: null,
    isError: false,
  });
  const first = await create(key, { reference: 'a', method: 'idin', sandbox: { scenario: 'review' } });
  const second = await create(key, { sandbox: { auto_complete: false } });
  expect((await list(key)).data).toEqual([
    {
      id: second.id,
      status: 'pending',
      method: 'document_liveness',
      outcome: null,
      created_at: second.created_at,
    },
    { id: first.id, status: 'completed', method: 'idin', outcome: 'review', created_at: first.created_at },
  ]);
});

test('null for an argument is as if it were absent', async () => {
  const { key } = await harness.key({ org: 'Nulls' });
  const { id } = await create(key, { reference: 'a' });
  const given = { limit: null, status: null, reference: null, starting_after: null };
  expect(idsOf(await list(key, given))).toEqual([id]);
});

test('a page holds 20 unless asked otherwise, and never more than 25', async () => {
  covers('4.2/list-bound', '8/agent-page', '4.2/list-verifications');
  const { key, organisationId: orgId } = await harness.key({ org: 'Many' });
  await fillVerifications(harness.ctx, { orgId, environment: 'sandbox', count: 60, perMoment: 7 });
  for (const [limit, length] of [
    [undefined, 20],
    [1, 1],
    [25, 25],
    [26, 25],
    [100, 25],
    [Number.MAX_SAFE_INTEGER, 25],
  ] as const)
    expect((await list(key, { limit })).data).toHaveLength(length);

  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await list(key, { limit: 25, starting_after: cursor });
    ids.push(...idsOf(page));
    if (!page.has_more) break;
    cursor = page.next_starting_after;
  }
  expect(ids).toHaveLength(60);
  expect(new Set(ids).size).toBe(60);
});

test('it filters by status and by reference, together and with pages, and shows no reference', async () => {
  covers('4.2/list-verifications', '4.2/list-verifications-reference', '4.3/reference');
  const { key } = await harness.key({ org: 'Filters' });
  const open = { sandbox: { auto_complete: false } };
  const [a1, a2, a3] = [
    await create(key, { reference: 'klant-a' }),
    await create(key, { reference: 'klant-a', ...open }),
    await create(key, { reference: 'klant-a' }),
  ];
  const [b, none] = [await create(key, { reference: 'klant-b', ...open }), await create(key, open)];
  const found = async (given: Record<string, unknown>) => idsOf(await list(key, given));

  expect(await found({ reference: 'klant-a' })).toEqual([a3.id, a2.id, a1.id]);
  expect(await found({ status: 'pending' })).toEqual([none.id, b.id, a2.id]);
  expect(await found({ status: 'in_progress' })).toEqual([]);
  expect(await found({ status: 'completed', reference: 'klant-a' })).toEqual([a3.id, a1.id]);
  expect(await found({ reference: 'klant-' })).toEqual([]);
  expect(await found({ reference: '%' })).toEqual([]);
  const page = await list(key, { reference: 'klant-a', limit: 2 });
  expect(page).toMatchObject({ has_more: true, next_starting_after: a2.id });
  expect(await found({ reference: 'klant-a', limit: 2, starting_after: a2.id })).toEqual([a1.id]);
  expect(JSON.stringify(page)).not.toContain('klant-a');
});

test('it stays within organisation and environment of the key, whatever the filter', async () => {
  covers('4.2/list-verifications-environment', '1/organisation-isolation');
  const { key } = await harness.key({ org: 'Here' });
  const { key: live } = await harness.key({ org: 'Here', environment: 'live' });
  const { key: foreign } = await harness.key({ org: 'There' });
  const [mine, inLive, theirs] = [
    await create(key, { reference: 'r' }),
    await create(live, { reference: 'r' }),
    await create(foreign, { reference: 'r' }),
  ];
  expect(idsOf(await list(key, { reference: 'r' }))).toEqual([mine.id]);
  expect(idsOf(await list(live, { reference: 'r' }))).toEqual([inLive.id]);
  for (const cursor of [inLive.id, theirs.id, randomUUID(), 'x', '', 'a\u0000'])
    expect((await list(key, { starting_after: cursor })).error.code).toMatch(/^invalid_(cursor|parameter)$/);
});

test.each<[object, string]>([
  [{ limit: 0 }, 'limit must be an integer of at least 1.'],
  [{ limit: -1 }, 'limit must be an integer of at least 1.'],
  [{ limit: 1.5 }, 'limit must be an integer.'],
  [{ limit: '5' }, 'limit must be a number.'],
  [{ status: 'open' }, 'status must be one of pending, in_progress, completed.'],
  [{ page: 2 }, 'There is an argument that this tool does not know.'],
])('%j is refused by a result that names the allowed arguments', async (given, sentence) => {
  const { key } = await harness.key();
  const { isError, error } = await list(key, given as Record<string, unknown>);
  expect(isError).toBe(true);
  expect(error.message).toBe(`${sentence} Allowed arguments: limit, status, reference, starting_after.`);
});
