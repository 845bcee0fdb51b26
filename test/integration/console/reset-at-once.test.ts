import { expect, test } from 'vitest';
import { resetByOperator } from '#services/members/invite.ts';
import {
  codeOf,
  goodPassword,
  type Joined,
  joins,
  newVisitor,
  type Page,
  type Visitor,
} from '#test/support/console.ts';
import { startHarness } from '#test/support/harness.ts';
import { holdRow, waitingForLocks } from '#test/support/locks.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

const fresh = 'marble kettle drifting north';
let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);

async function resetPathOf({ email, org }: Joined): Promise<string> {
  const made = await resetByOperator(harness.store, org, email);
  if ('refused' in made) throw new Error(`no reset: ${made.refused}`);
  return `/link/${made.link.token}`;
}

/** Uses the link of a reset while `act` is on its way: both wait for the member, the reset first. Returns the answer to `act`. */
async function resetFirst(member: Joined, act: () => Promise<Page>): Promise<{ answer: Page; who: Visitor }> {
  const path = await resetPathOf(member);
  const who = visitor();
  await who.get(path);
  const held = await holdRow(harness, 'members', member.memberId);
  const reset = who.post(path, { password: fresh });
  await expect.poll(() => waitingForLocks(harness)).toBe(1);
  const acting = act();
  await expect.poll(() => waitingForLocks(harness)).toBe(2);
  await held.release();
  expect((await reset).status).toBe(303);
  return { answer: await acting, who };
}

const sessionsOf = ({ memberId }: Joined) =>
  harness.rows`select is_full from member_sessions where member_id = ${memberId}`;

const isNew = async ({ email }: Joined) => {
  const who = visitor();
  const sent = await who.submit('/sign-in', '/sign-in', { email, password: fresh });
  return [sent.status, sent.location, (await who.get('/')).location];
};

test('a sign-in with the old password that waits for a reset begins no session', async () => {
  const member = await joins(harness, url, { role: 'developer' });
  const late = visitor();
  await late.get('/sign-in');
  const { answer } = await resetFirst(member, () =>
    late.post('/sign-in', { email: member.email, password: goodPassword }),
  );
  expect(answer.status).toBe(422);
  expect((await late.get('/')).location).toBe('/sign-in');
  expect(await sessionsOf(member)).toHaveLength(1);
});

test('a code that waits for a reset completes no sign-in', async () => {
  const member = await joins(harness, url, { role: 'owner' });
  const late = visitor();
  await late.submit('/sign-in', '/sign-in', { email: member.email, password: goodPassword });
  await late.get('/sign-in/code');
  const { answer } = await resetFirst(member, () =>
    late.post('/sign-in/code', { code: codeOf(member.secret as Buffer, 1) }),
  );
  expect(answer.status).toBe(422);
  expect((await late.get('/')).location).toBe('/sign-in');
  expect(await sessionsOf(member)).toHaveLength(1);
});

test('a password that is changed while a reset comes first is not changed', async () => {
  const member = await joins(harness, url, { role: 'developer' });
  await member.visitor.get('/account');
  const { answer } = await resetFirst(member, () =>
    member.visitor.post('/account/password', { old: goodPassword, fresh: 'another orchard wanders slowly' }),
  );
  expect(answer.status).toBe(422);
  expect(await isNew(member)).toEqual([303, '/', null]);
});

test('recovery codes that are asked for while a reset comes first are not made', async () => {
  const member = await joins(harness, url, { role: 'owner' });
  await member.visitor.get('/account');
  const { answer } = await resetFirst(member, () =>
    member.visitor.post('/account/recovery-codes', { password_for_codes: goodPassword }),
  );
  expect(answer.status).toBe(422);
  expect(answer.html).not.toMatch(/<code>[a-z0-9-]{17}<\/code>/);
  expect(
    await harness.rows`select from member_recovery_codes where member_id = ${member.memberId}`,
  ).toHaveLength(0);
});

test('preferences that wait for a reset are not changed', async () => {
  const member = await joins(harness, url, { role: 'developer' });
  await member.visitor.get('/account');
  const { answer } = await resetFirst(member, () =>
    member.visitor.post('/account/preferences', { language: 'nl', time_zone: 'Europe/Amsterdam' }),
  );
  expect(answer.status).toBe(303);
  expect(await harness.rows`select language, time_zone from members where id = ${member.memberId}`).toEqual([
    { language: 'en', time_zone: null },
  ]);
});
