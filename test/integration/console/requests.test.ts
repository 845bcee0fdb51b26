import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const { key, id: keyId, organisationId: orgId } = await harness.key({ org: 'Acme' });
const second = await harness.key({ org: 'Acme', grants: ['verify:read'] });
const foreign = await harness.key({ org: 'Other' });
const developer = await joins(harness, url, { role: 'developer' });

const page = async (query = '') => (await developer.visitor.get(`/requests${query}`)).html;
const idsIn = (html: string) =>
  [...html.matchAll(/<code>(req_[0-9a-z]{26})<\/code>/g)].map(([, id = '']) => id);
const idOf = async (path: string, apiKey = key) =>
  String((await call(harness, 'GET', path, { key: apiKey })).headers['x-request-id']);
const logged = async (id: string) =>
  (await harness.rows`select 1 from request_log where request_id = ${id}`).length;

test('without a request the page says what is needed for one', async () => {
  expect(await page()).toContain('No request was made');
});

test('a request is found by its id, key, path and status, and one of another organisation is not', async () => {
  const [done, missing] = [await idOf('/v1/verifications'), await idOf('/v1/webhooks/nothing')];
  const other = await idOf('/v1/verifications', second.key);
  const strange = await idOf('/v1/verifications', foreign.key);
  for (const id of [done, missing, other, strange]) await expect.poll(() => logged(id)).toBe(1);
  expect(idsIn(await page()).sort()).toEqual([done, missing, other].sort());
  for (const [query, found] of [
    [`?id=${done}`, [done]],
    [`?id=${strange}`, []],
    ['?id=req_nothing', []],
    [`?key=${keyId}&status=2`, [done]],
    [`?key=${second.id}`, [other]],
    ['?path=webhooks&status=4', [missing]],
    ['?path=%25', []],
    ['?status=5', []],
  ] as const)
    expect([query, idsIn(await page(query))]).toEqual([query, found]);
  const html = await page(`?id=${missing}`);
  expect(html).toContain('GET /v1/webhooks/:id');
  expect(html).toContain('webhook_not_found');
});

test('values that nothing has, and places that are none, show a page and no error', async () => {
  for (const query of [
    '?status=9&key=x&after=nothing',
    '?after=99999999999999-9',
    '?id=a%00b&path=%00',
    '?after=1-1',
  ])
    expect((await developer.visitor.get(`/requests${query}`)).status).toBe(200);
});

test('a rare request far back is found page by page, and each page says how far it looked', async () => {
  await harness.rows`
    insert into request_log (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
    select 'req_' || lpad(n::text, 26, '0'), ${orgId}, 'sandbox', ${keyId}, 'GET', case n when 5100 then '/v1/rare' else '/v1/verifications' end,
      200, 5, now() - interval '1 hour' - n * interval '1 second'
    from generate_series(1, 5200) as n`;
  const first = await page('?path=rare');
  expect(idsIn(first)).toEqual([]);
  expect(first).toContain('Looked back to');
  expect(first).toContain('In this part of the search nothing matches');
  expect(first).not.toContain('No request matches');
  const next = /href="\/requests(\?[^"]*after=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&');
  expect(idsIn(await page(next))).toEqual([`req_${'5100'.padStart(26, '0')}`]);
  const newest = await page('?path=verifications&status=2');
  expect(idsIn(newest)).toHaveLength(50);
  const older = /href="\/requests(\?[^"]*after=[^"]*)"/.exec(newest)?.[1]?.replaceAll('&amp;', '&');
  const following = idsIn(await page(older));
  expect(following).toHaveLength(50);
  expect(following.filter((id) => idsIn(newest).includes(id))).toEqual([]);
});

test('the usage counts completed live verifications and income checks of this organisation by month, and says that sandbox is free', async () => {
  expect((await developer.visitor.get('/usage')).html).toContain('Sandbox is free');
  const fill = (
    org: string,
    environment: string,
    ago: string,
    count: number,
    method = 'document_only',
  ) => harness.rows`
    insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, verdict, created_at, completed_at)
    select gen_random_uuid(), ${org}, ${environment}, 'completed', ${method}, 'dos_' || gen_random_uuid(), '00000001', now(),
      '{"outcome": "approved"}', now() - ${ago}::interval, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - ${ago}::interval
    from generate_series(1, ${count}::int)`;
  await fill(orgId, 'live', '0', 2);
  await fill(orgId, 'live', '0', 1, 'income');
  await fill(orgId, 'live', '1 second', 1_234);
  await fill(orgId, 'sandbox', '0', 7);
  await fill(orgId, 'live', '13 months', 5);
  await fill(foreign.organisationId, 'live', '0', 11);
  const { html } = await developer.visitor.get('/usage');
  const months = [...html.matchAll(/<th[^>]*>(\d{4}-\d\d)<\/th>\s*<td[^>]*>([\d,]+)<\/td>/g)].map(
    ([, month, count]) => [month, count],
  );
  expect(months).toHaveLength(12);
  expect(months[0]).toEqual([new Date().toISOString().slice(0, 7), '3']);
  expect(months.slice(1).map(([, count]) => count)).toEqual(['1,234', ...Array(10).fill('0')]);
  const bars = [...html.matchAll(/<rect width="([\d.]+)"/g)].map(([, width]) => Number(width));
  expect(bars).toEqual([expect.closeTo(300 / 1_234, 5), 100, ...Array(10).fill(0)]);
  expect(html).toContain('never on an invoice');
});
