import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor } from '#test/support/people/console.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);

/** The lines in the chain of the owner that came since. */
async function linesOf(act: () => Promise<unknown>) {
  const read = () =>
    harness.rows<{ type: string; data: { actor: object } }>`
      select type, data from ledger where subject_id = ${owner.memberId} order by sequence`;
  const before = (await read()).length;
  await act();
  return (await read()).slice(before).map(({ type, data: { actor, ...data } }) => {
    expect(actor).toEqual({ kind: 'member', id: owner.memberId });
    return [type, data];
  });
}

test('a wrong code and a wrong recovery code after the right password are a line each, without the code', async () => {
  const who = newVisitor(url, '198.51.100.1');
  const wrong = async () => {
    await who.submit('/sign-in', '/sign-in', { email: owner.email, password: goodPassword });
    await who.submit('/sign-in/code', '/sign-in/code', { code: '314159' });
    await who.submit('/sign-in/code', '/sign-in/code', { recovery: 'aaaaa-bbbbb-ccccc' });
  };
  expect(await linesOf(wrong)).toEqual([
    ['account.code_refused', { kind: 'code' }],
    ['account.code_refused', { kind: 'recovery_code' }],
  ]);
  const right = () =>
    who.submit('/sign-in/code', '/sign-in/code', { recovery: owner.recoveryCodes?.[0] ?? '' });
  expect(await linesOf(right)).toEqual([['account.signed_in', { with: 'recovery_code' }]]);
});

test('a wrong password inside the console is a line, whatever it was for', async () => {
  const old = 'not the present password';
  for (const [path, fields] of [
    ['/account/password', { old, fresh: 'yellow harbour seven whistles' }],
    ['/account/recovery-codes', { password_for_codes: old }],
    ['/account/passkeys', { name: 'phone', password: old }],
  ] as const)
    expect([path, await linesOf(() => owner.visitor.submit('/account', path, fields))]).toEqual([
      path,
      [['account.password_refused', {}]],
    ]);
});

test('a new password and new recovery codes are a line each', async () => {
  const fresh = 'yellow harbour seven whistles';
  const change = () => owner.visitor.submit('/account', '/account/password', { old: goodPassword, fresh });
  expect(await linesOf(change)).toEqual([['account.password_changed', {}]]);
  const renew = () =>
    owner.visitor.submit('/account', '/account/recovery-codes', { password_for_codes: fresh });
  expect(await linesOf(renew)).toEqual([['account.recovery_codes_renewed', {}]]);
});

test('the log of the console names these lines', async () => {
  const { html } = await owner.visitor.get('/log');
  for (const words of ['Gave a wrong code', 'Gave a wrong password inside the console'])
    expect(html).toContain(words);
});

test('codes and passwords that are guessed inside one session are counted apart from the sign-in', async () => {
  const reviewer = await joins(harness, url, { role: 'reviewer' });
  const guess = (password: string) =>
    reviewer.visitor.submit('/account', '/account/recovery-codes', { password_for_codes: password });
  const statuses: number[] = [];
  for (let i = 0; i < 10; i++) statuses.push((await guess('short')).status);
  expect([...statuses, (await guess(goodPassword)).status]).toEqual([...Array(10).fill(422), 429]);
  const who = newVisitor(url, '198.51.100.2');
  await who.submit('/sign-in', '/sign-in', { email: reviewer.email, password: goodPassword });
  const [code = ''] = reviewer.recoveryCodes ?? [];
  expect((await who.submit('/sign-in/code', '/sign-in/code', { recovery: code })).location).toBe('/');
});
