import { expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);
const id = '00000000-0000-4000-8000-000000000000';
/** Every name that a page of the console reads. */
const names = [
  'after',
  'by',
  'environment',
  'from',
  'id',
  'key',
  'kind',
  'lang',
  'path',
  'status',
  'text',
  'until',
];
const queries = names.map((name) => `${name}=a%00b`).join('&');
const pathOf = (pattern: string) => pattern.replaceAll(/:\w+/g, id);

test.each([
  ['the address at the sign-in', '/sign-in', { email: 'a\0b@example.com', password: goodPassword }],
  ['the name of a key', '/keys/new', { name: 'a\0b', environment: 'sandbox', scopes: 'verify:read' }],
  ['the address of a member', '/members', { email: 'a\0b@example.com', role: 'auditor' }],
  ['a name of a field', '/keys/new', { 'na\0me': 'x' }],
])('U+0000 in %s is 400, and changes nothing', async (_, path, fields: Record<string, string>) => {
  const who = path === '/sign-in' ? newVisitor(url, '198.51.100.1') : owner.visitor;
  const before = await harness.rows`select 1 from ledger`;
  const { status, html } = await who.submit(path === '/members' ? '/members' : path, path, fields);
  expect(status, html).toBe(400);
  expect(await harness.rows`select 1 from ledger`).toEqual(before);
});

test('U+0000 in any form, and in the query of any page, is never a fault of ours', async () => {
  for (const { method, path, file, for: audience } of consolePages) {
    if (file !== undefined || audience === 'setup' || path === '/sign-out') continue;
    const answer =
      method === 'POST'
        ? await owner.visitor.submit('/account', pathOf(path), { text: 'a\0b', name: 'a\0b' })
        : await owner.visitor.get(`${pathOf(path)}?${queries}`);
    expect([method, path, answer.status]).toEqual([method, path, expect.toSatisfy((each) => each < 500)]);
  }
});

test('a path with U+0000, and bytes that are no text, are never a fault of ours', async () => {
  for (const { method, path } of consolePages.filter((each) => each.path.includes(':'))) {
    if (method !== 'GET') continue;
    for (const bad of ['%00', 'a%00b', '%ED%A0%80', '%FF'])
      expect([path, bad, (await owner.visitor.get(path.replaceAll(/:\w+/g, bad))).status]).toEqual([
        ...[path, bad, expect.toSatisfy((each) => each < 500)],
      ]);
  }
  const surrogate = await owner.visitor.submit('/keys/new', '/keys/new', {
    ...{ name: 'a\ud800b', environment: 'sandbox', scopes: 'verify:read' },
  });
  expect(surrogate.status).toBeLessThan(500);
});
