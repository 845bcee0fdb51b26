import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';

const harness = await startHarness();
const list = async (key: string, query = '') => {
  const { status, json } = await call(harness, 'GET', `/v1/verifications${query}`, { key });
  expect(status).toBe(200);
  return json;
};
const create = async (key: string, body: object = {}) =>
  (await call(harness, 'POST', '/v1/verifications', { key, body })).json;

/** Reads every page from the first to the last. Each request uses the cursor of the page before. */
async function walk(key: string, limit: number, afterEach = async () => {}) {
  const pages = [];
  for (let cursor = ''; ; ) {
    const page = await list(key, `?limit=${limit}${cursor}`);
    pages.push(page);
    if (!page.has_more) return pages;
    cursor = `&starting_after=${page.next_starting_after}`;
    await afterEach();
  }
}
const idsOf = (pages: { data: { id: string }[] }[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

test('without verifications the list is empty and has no further page', async () => {
  covers('2.3/object', '2.3/data', '2.3/has-more', '2.3/next-starting-after', '4.1/list');
  const { key } = await harness.key({ org: 'Empty' });
  expect(await list(key)).toEqual({ object: 'list', data: [], has_more: false, next_starting_after: null });
});

test('rows read as GET /verifications/{id} gives them, the newest first', async () => {
  covers('2.3/data', '4.1/list');
  const { key } = await harness.key({ org: 'Same' });
  const first = await create(key, { reference: 'first', method: 'idin' });
  const second = await create(key, { sandbox: { auto_complete: false } });
  expect((await list(key)).data).toEqual([second, first]);
});

test('a page holds 20 unless asked for 1 to 100', async () => {
  covers('4.1/list-limit', '4.1/list-limit-default', '8/list-limit', '2.3/has-more');
  const { key, organisationId: orgId } = await harness.key({ org: 'Many' });
  await fillVerifications(harness.ctx, { orgId, environment: 'sandbox', count: 101 });
  for (const [query, length] of [
    ['', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
    ['?limit=007', 7],
  ] as const) {
    const page = await list(key, query);
    expect(page.data).toHaveLength(length);
    expect(page).toMatchObject({ has_more: true, next_starting_after: page.data.at(-1).id });
  }
});

test.each([1, 7, 25, 50, 100])(
  'pages of %i give each row once and in order, though many share a moment',
  async (limit) => {
    covers('2.3/next-starting-after', '4.1/list-starting-after', '4.1/list-pages');
    const { key, organisationId: orgId } = await harness.key({ org: `Pages of ${limit}` });
    await fillVerifications(harness.ctx, { orgId, environment: 'sandbox', count: 50, perMoment: 13 });
    const pages = await walk(key, limit);
    expect(pages).toHaveLength(Math.ceil(50 / limit));
    expect(pages.at(-1).next_starting_after).toBeNull();
    const rows = pages.flatMap(({ data }) => data);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(50);
    const places = rows.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(places).toEqual(places.toSorted().reverse());
  },
);

test('a row that is created between two pages neither repeats nor hides another', async () => {
  covers('4.1/list-pages');
  const { key, organisationId: orgId } = await harness.key({ org: 'Growing' });
  await fillVerifications(harness.ctx, { orgId, environment: 'sandbox', count: 10 });
  const before = idsOf([await list(key)]);
  const walked = await walk(key, 3, () => create(key));
  expect(idsOf(walked)).toEqual(before);
});

test('a page after the last row is empty and the last', async () => {
  covers('4.1/list-starting-after');
  const { key } = await harness.key({ org: 'End' });
  const { id } = await create(key);
  expect(await list(key, `?starting_after=${id}`)).toMatchObject({ data: [], has_more: false });
  expect(await list(key, `?starting_after=${id.toUpperCase()}`)).toMatchObject({ data: [] });
});
