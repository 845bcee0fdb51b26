import { expect, test } from 'vitest';
import { findKey } from '#services/keys/list.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { rotateKey } from '#services/keys/rotate.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { joins } from '#test/support/people/console.ts';

const lines: string[] = [];
const harness = await startHarness({
  worker: false,
  logTo: { write: (line: string) => void lines.push(line) },
});
const { url } = await harness.startConsole();
const { visitor, memberId } = await joins(harness, url, { role: 'developer' });

const keyOn = (html: string) => /svc_(?:test|live)_[0-9A-Za-z]{39}/.exec(html)?.[0] ?? '';
const idOf = async (key: string) =>
  (await harness.rows<{ id: string }>`select id from api_keys where display like ${`%${key.slice(-4)}`}`)[0]
    ?.id;
const make = async (fields: Record<string, string | string[]> = {}) => {
  const page = await visitor.submit('/keys/new', '/keys/new', {
    ...{ name: 'web shop', environment: 'sandbox', scopes: ['verify:create', 'verify:read'] },
    ...fields,
  });
  return { page, key: keyOn(page.html) };
};
const works = async (key: string) => (await call(harness, 'GET', '/v1/verifications', { key })).status;

test('an empty page says what to do; a key is made, shown once, and works', async () => {
  covers('5/key-visible-once');
  expect((await visitor.get('/keys')).html).toContain('There are no keys yet');
  expect((await visitor.get('/keys/new')).html).toContain('Time zone: Europe/Amsterdam. Empty: a live key');
  const { page, key } = await make({ limit: '77', expires: '2099-12-31' });
  expect(key).toMatch(/^svc_test_/);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.location).toBeNull();
  expect(await works(key)).toBe(200);
  const [row] = await harness.rows`
    select name, environment, grants, rate_limit, expires_at from api_keys where id = ${await idOf(key)}`;
  expect(row).toEqual({
    ...{ name: 'web shop', environment: 'sandbox', grants: ['verify:create', 'verify:read'], rate_limit: 77 },
    expires_at: new Date('2099-12-31T23:00:00Z'),
  });
});

test('no number of newer keys hides one that works, and 500 that work are the most', async () => {
  const { key, ...made } = await harness.key({ org: 'Hidden', environment: 'live' });
  const organisationId = made.organisationId;
  const owner = await joins(harness, url, { org: 'Hidden' });
  const fill = (count: number, revoked: Date | null) => harness.rows`
    insert into api_keys (id, org_id, environment, display, hash, grants, created_at, revoked_at)
    select gen_random_uuid(), ${organisationId}, 'sandbox', 'svc_test_…', sha256(gen_random_uuid()::text::bytea),
      '{verify:read}', now(), ${revoked}::timestamptz from generate_series(1, ${count}::int)`;
  await fill(600, new Date());
  const id = String(await idOf(key));
  expect((await owner.visitor.get('/keys')).html).toContain(`/keys/${id}"`);
  await fill(499, null);
  expect((await owner.visitor.get('/keys')).html).toContain(`/keys/${id}"`);
  const fields = { name: 'one more', environment: 'sandbox', scopes: ['verify:read'] };
  const refused = await owner.visitor.submit('/keys/new', '/keys/new', fields);
  expect([refused.status, keyOn(refused.html)]).toEqual([422, '']);
  expect(refused.html).toContain('has 500 keys that work');
  await owner.visitor.submit(`/keys/${id}`, `/keys/${id}/revoke`, { sure: 'yes' });
  expect(await works(key)).toBe(401);
  expect(keyOn((await owner.visitor.submit('/keys/new', '/keys/new', fields)).html)).toMatch(/^svc_test_/);
});

test('a live key ends after a year unless its maker says otherwise, and the page says when', async () => {
  const endOf = async (key: string) => {
    const [row] = await harness.rows<{ end: string | null; days: number | null }>`
      select to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD') as end, extract(day from expires_at - now())::int as days
      from api_keys where id = ${await idOf(key)}`;
    return row;
  };
  const { page, key } = await make({ environment: 'live' });
  const live = await endOf(key);
  expect([364, 365, 366]).toContain(live?.days);
  expect(page.html).toContain(`>${live?.end} `);
  for (const fields of [{ environment: 'live', never: 'yes' }, { environment: 'sandbox' }]) {
    const made = await make(fields);
    expect((await endOf(made.key))?.end).toBeNull();
    expect(made.page.html).toContain('no end: until it is revoked');
  }
  const both = await make({ environment: 'live', never: 'yes', expires: '2099-12-31' });
  expect([both.page.status, both.key]).toEqual([422, '']);
  expect(both.page.html).toContain('id="expires-fault"');
});

test('the full key is in no list, row or log afterwards', async () => {
  const { key } = await make({ environment: 'live' });
  for (const path of ['/keys', `/keys/${await idOf(key)}`, '/keys/new', '/'])
    expect((await visitor.get(path)).html).not.toContain(key);
  const tables = await harness.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`;
  expect(tables.length).toBeGreaterThan(15);
  for (const { name } of tables) {
    const [found] = await harness.rows<{ n: number }>`
      select query_to_xml(format('select 1 from %I as t where t::text like %L limit 1', ${name}::text, ${`%${key.slice(9)}%`}::text), true, true, '')::text like '%<row%' as n`;
    expect([name, found?.n]).toEqual([name, false]);
  }
  expect(lines.join('\n')).not.toContain(key.slice(9));
});

test('the line of a key names the member who made, replaced and revoked it', async () => {
  const { key } = await make();
  const id = (await idOf(key)) ?? '';
  await visitor.submit(`/keys/${id}`, `/keys/${id}/rotate`, { overlap: '24' });
  await visitor.submit(`/keys/${id}`, `/keys/${id}/revoke`, { sure: 'yes' });
  const written =
    await harness.rows`select type, data->'actor' as actor from ledger where subject_id = ${id} order by sequence`;
  const actor = { kind: 'member', id: memberId };
  expect(written).toEqual([
    { type: 'key.created', actor },
    { type: 'key.replaced', actor },
    { type: 'key.revoked', actor },
  ]);
});

test('a replaced key and its successor both work during the overlap, and without one the old key ends', async () => {
  const { key } = await make();
  const id = (await idOf(key)) ?? '';
  const replaced = await visitor.submit(`/keys/${id}`, `/keys/${id}/rotate`, { overlap: '24' });
  const successor = keyOn(replaced.html);
  expect([await works(key), await works(successor)]).toEqual([200, 200]);
  const again = await visitor.submit('/keys', `/keys/${id}/rotate`, { overlap: '24' });
  expect(again.status).toBe(409);
  expect(again.html).toContain('Replace its successor');

  const { key: second } = await make();
  const secondId = (await idOf(second)) ?? '';
  const ended = await visitor.submit(`/keys/${secondId}`, `/keys/${secondId}/rotate`, { overlap: '0' });
  expect(await works(keyOn(ended.html))).toBe(200);
  expect(await works(second)).toBe(401);
});

test('an overlap that is not in the list is a fault beside its field, and the key is not replaced', async () => {
  const { key } = await make();
  const id = (await idOf(key)) ?? '';
  const before = (await harness.rows`select 1 from api_keys`).length;
  for (const overlap of ['12', '']) {
    const { status, html } = await visitor.submit(`/keys/${id}`, `/keys/${id}/rotate`, { overlap });
    expect(status).toBe(422);
    expect(html).toContain('id="overlap-fault"');
    expect(html).not.toContain('role="alert"');
  }
  expect((await harness.rows`select 1 from api_keys`).length).toBe(before);
  expect(await works(key)).toBe(200);
});

test('a key of another organisation is unknown to the services too', async () => {
  const { id, key } = await harness.key({ org: 'Other' });
  const [member] = await harness.rows<{ orgId: string }>`
    select org_id as "orgId" from members where id = ${memberId}`;
  const caller = asOwner({ id: memberId }, member?.orgId ?? '', 'live');
  expect(await revokeKey(harness, caller, { id })).toBe(false);
  expect(await rotateKey(harness, caller, { id, overlapMs: 0 })).toEqual({ refused: 'unknown' });
  expect(await findKey(harness.ctx, caller, { id })).toBeUndefined();
  expect(await works(key)).toBe(200);
});

test('a revoked key stops working, stays in the list, and offers nothing more', async () => {
  const { key } = await make({ name: 'short lived' });
  const id = (await idOf(key)) ?? '';
  expect((await visitor.submit(`/keys/${id}`, `/keys/${id}/revoke`, { sure: 'yes' })).location).toBe(
    '/keys?notice=revoked',
  );
  expect(await works(key)).toBe(401);
  const list = await visitor.get('/keys?notice=revoked');
  expect(list.html).toContain('The key is revoked');
  expect(list.html).toContain('short lived');
  expect((await visitor.get(`/keys/${id}`)).html).not.toContain('/revoke"');
});

test('a key says when it was last used, in the list and on its page', async () => {
  const { key } = await make({ name: 'counted' });
  const id = (await idOf(key)) ?? '';
  const rowOf = (html: string) => /<th[^>]*>counted<.*?<\/tr>/s.exec(html)?.[0] ?? '';
  const lastUsed = async () => ({
    row: rowOf((await visitor.get('/keys')).html),
    page: /Last used<\/dt><dd>(.*?)<\/dd>/s.exec((await visitor.get(`/keys/${id}`)).html)?.[1],
  });
  const before = await lastUsed();
  expect([before.row, before.page]).toEqual([
    expect.stringContaining('><span>never</span></td>'),
    '<span>never</span>',
  ]);
  expect(await works(key)).toBe(200);
  await expect.poll(async () => (await lastUsed()).page).toContain('<time');
  const [stored] = await harness.rows<{ at: Date }>`select last_used_at as at from api_keys where id = ${id}`;
  const { row, page } = await lastUsed();
  const at = `<time datetime="${stored?.at.toISOString()}">`;
  expect([row, page]).toEqual([expect.stringContaining(at), expect.stringContaining(at)]);
});

test('an auditor reads the page of a key, and is offered no change', async () => {
  const { key } = await make({ name: 'audited' });
  const id = (await idOf(key)) ?? '';
  const { visitor: auditor } = await joins(harness, url, { role: 'auditor' });
  expect((await auditor.get('/keys')).html).toContain(`href="/keys/${id}" aria-label="View: audited, `);
  const { status, html } = await auditor.get(`/keys/${id}`);
  expect(status).toBe(200);
  for (const part of ['audited', key.slice(-4), 'verify:create, verify:read', 'minute</dt><dd>120</dd>'])
    expect(html).toContain(part);
  for (const form of ['/rotate', '/revoke']) {
    expect(html).not.toContain(form);
    expect((await auditor.submit('/account', `/keys/${id}${form}`, { overlap: '0' })).status).toBe(403);
  }
  expect(await works(key)).toBe(200);
});

test('each faulty field is shown again with its fault beside it, and no key is made', async () => {
  const before = (await harness.rows`select 1 from api_keys`).length;
  const { page } = await make({
    name: ' ',
    environment: 'moon',
    scopes: ['verify:everything'],
    limit: '0',
    expires: '2020-01-01',
  });
  expect(page.status).toBe(422);
  for (const field of ['name', 'environment', 'scopes', 'limit', 'expires'])
    expect(page.html).toContain(`id="${field}-fault"`);
  expect(page.html).toContain('value="2020-01-01"');
  expect((await harness.rows`select 1 from api_keys`).length).toBe(before);
});
