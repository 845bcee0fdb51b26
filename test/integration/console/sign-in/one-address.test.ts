import { scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { passwordWork } from '#platform/sign-in/password-turns.ts';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor, pathOfInvitation } from '#test/support/people/console.ts';
import { bytesOf } from '#test/support/seed.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);
const signIn = (email: string, password = goodPassword) =>
  visitor().submit('/sign-in', '/sign-in', { email, password });

const hashesOf = async (act: () => Promise<unknown>) => {
  const before = passwordWork().done;
  await act();
  return passwordWork().done - before;
};

test('a member signs in though six organisations made members with the same address before', async () => {
  const email = 'everywhere@example.com';
  for (let n = 0; n < 6; n++) {
    const path = await pathOfInvitation(harness, `Before ${n}`, { email, role: 'auditor' });
    const accepted = await visitor().submit(path, path, { password: `crowded lantern orchard ${n}` });
    expect(accepted.status).toBe(303);
  }
  const member = await joins(harness, url, { email, role: 'auditor' });
  expect((await signIn(email)).location).toBe('/');
  expect(member.org).toBe('Acme');
}, 60_000);

test('an attempt takes one hash, whether or not the address is known, and however many members have it', async () => {
  const wrong = 'nothing like the password';
  for (const email of ['everywhere@example.com', 'nobody@example.com'])
    expect([email, await hashesOf(() => signIn(email, wrong))]).toEqual([email, 1]);
});

const stored = async (memberId: string) =>
  (await harness.rows<{ hash: string }>`select password_hash as hash from members where id = ${memberId}`)[0]
    ?.hash ?? '';

test('a hash that an earlier version made still opens the console, and is made anew with the cost of today', async () => {
  const { email, memberId } = await joins(harness, url, { role: 'auditor' });
  expect(await stored(memberId)).toMatch(/^scrypt\$256\$8\$1\$/);
  const salt = bytesOf('the salt of an earlier version', 16);
  const hash = scryptSync(goodPassword, salt, 32, { N: 2 ** 7, r: 8, p: 1 });
  const earlier = `scrypt$128$8$1$${salt.toString('base64')}$${hash.toString('base64')}`;
  await harness.rows`update members set password_hash = ${earlier} where id = ${memberId}`;
  expect((await signIn(email, 'nothing like the password')).status).toBe(422);
  expect(await stored(memberId)).toBe(earlier);
  expect((await signIn(email)).location).toBe('/');
  const renewed = await stored(memberId);
  expect(renewed).toMatch(/^scrypt\$256\$8\$1\$/);
  expect((await signIn(email)).location).toBe('/');
  expect(await stored(memberId)).toBe(renewed);
});

test('members with one address and one password have one hash, and members with others have none in common', async () => {
  const rows = await harness.rows<{ email: string; salt: string }>`
    select email, split_part(password_hash, '$', 5) as salt from members`;
  const salts = Map.groupBy(rows, ({ salt }) => salt);
  for (const same of salts.values()) expect(new Set(same.map(({ email }) => email)).size).toBe(1);
  expect(salts.size).toBe(new Set(rows.map(({ email }) => email)).size);
});
