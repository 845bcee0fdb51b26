import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { resetByEmail } from '#services/members/by-email.ts';
import { startHarness } from '#test/support/harness.ts';
import { operatorAt } from '#test/support/people/as-operator.ts';
import {
  codeOf,
  goodPassword,
  type Joined,
  joins,
  newVisitor,
  type Page,
  secretOn,
  type Visitor,
} from '#test/support/people/console.ts';
import { holdRow, inLine, waitingForLocks } from '#test/support/servers/locks.ts';

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();

const fresh = 'marble kettle drifting north';
let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);

async function resetPathOf({ email, org }: Joined): Promise<string> {
  const made = await resetByEmail(harness, await operatorAt(harness.store, org), { email });
  if ('refused' in made) throw new Error(`no reset: ${made.refused}`);
  return `/link/${made.link.token}`;
}

/** Uses the link of a reset while `act` is on its way: both wait for the member, the reset first. Returns the answer to `act`. */
async function resetFirst(member: Joined, act: () => Promise<Page>): Promise<{ answer: Page; who: Visitor }> {
  const path = await resetPathOf(member);
  const who = visitor();
  await who.get(path);
  const [reset, answer] = await inThisOrder(member, () => who.post(path, { password: fresh }), act);
  expect(reset.status).toBe(303);
  return { answer, who };
}

/** Lets two requests wait for the member, the first one first. */
const inThisOrder = async (
  { memberId }: Joined,
  first: () => Promise<Page>,
  second: () => Promise<Page>,
): Promise<[Page, Page]> => inLine(harness, await holdRow(harness, 'members', memberId), first, second);

const sessionsOf = ({ memberId }: Joined) =>
  harness.rows`select is_full from member_sessions where member_id = ${memberId}`;

const isNew = async ({ email }: Joined) => {
  const who = visitor();
  const sent = await who.submit('/sign-in', '/sign-in', { email, password: fresh });
  return [sent.status, sent.location, (await who.get('/')).location];
};

test('a sign-in with the old password that waits for a reset begins no session', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
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
  const member = await joins(harness, url, { role: 'auditor' });
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
  const member = await joins(harness, url, { role: 'auditor' });
  await member.visitor.get('/account');
  const { answer } = await resetFirst(member, () =>
    member.visitor.post('/account/preferences', { language: 'nl', time_zone: 'Europe/Amsterdam' }),
  );
  expect(answer.status).toBe(303);
  expect(await harness.rows`select language, time_zone from members where id = ${member.memberId}`).toEqual([
    { language: 'en', time_zone: null },
  ]);
});

const thiefs = 'another orchard wanders slowly';

/** A thief is inside with the member's own session, and the member has opened the link of a reset elsewhere. */
async function aboutToReset() {
  const member = await joins(harness, url, { role: 'auditor' });
  const path = await resetPathOf(member);
  const who = visitor();
  await who.get(path);
  return { member, thief: member.visitor, who, path };
}

/** The reset holds, and nobody else is inside. */
async function expectEvicted(member: Joined, thief: Visitor) {
  expect(await isNew(member)).toEqual([303, '/', null]);
  expect((await thief.get('/')).location).toBe('/sign-in');
  for (const password of [goodPassword, thiefs]) {
    const sent = await visitor().submit('/sign-in', '/sign-in', { email: member.email, password });
    expect([password, sent.status]).toEqual([password, 422]);
  }
}

test('a thief who is changing the password while the link of a reset is used is outside afterwards', async () => {
  const { member, thief, who, path } = await aboutToReset();
  await thief.get('/account');
  const answers = await inThisOrder(
    member,
    () => who.post(path, { password: fresh }),
    () => thief.post('/account/password', { old: goodPassword, fresh: thiefs }),
  );
  expect(answers.map(({ status }) => status)).toEqual([303, 422]);
  await expectEvicted(member, thief);
}, 60_000);

test('a thief who has changed the password while the link of a reset was on its way is outside afterwards', async () => {
  const { member, thief, who, path } = await aboutToReset();
  const [row] = await harness.rows<{ id: string }>`
    select org_id as id from members where id = ${member.memberId}`;
  const held = await holdRow(harness, 'organisations', row?.id ?? '');
  const reset = who.post(path, { password: fresh });
  await expect.poll(() => waitingForLocks(harness), { timeout: 20_000 }).toBe(1);
  const change = await thief.submit('/account', '/account/password', { old: goodPassword, fresh: thiefs });
  expect([change.status, change.location]).toEqual([303, '/account?notice=password_changed']);
  expect((await thief.get('/account')).status).toBe(200);
  await held.release();
  expect((await reset).status).toBe(303);
  await expectEvicted(member, thief);
}, 60_000);

test('of two changes of a password with one session, the first holds, and a copy of its cookie is of no use', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  const thief = visitor();
  thief.setCookie('console', member.visitor.cookie());
  await member.visitor.get('/account');
  await thief.get('/account');
  const answers = await inThisOrder(
    member,
    () => member.visitor.post('/account/password', { old: goodPassword, fresh }),
    () => thief.post('/account/password', { old: goodPassword, fresh: thiefs }),
  );
  expect(answers.map(({ status }) => status)).toEqual([303, 422]);
  expect((await member.visitor.get('/')).status).toBe(200);
  await expectEvicted(member, thief);
}, 60_000);

test('of two second factors that are set up at once, one holds, and the other is told so', async () => {
  const member = await joins(harness, url, { role: 'auditor' });
  const { visitor: who } = member;
  const form = await who.get('/second-factor');
  const late = newVisitor(url, '198.51.100.250');
  late.setCookie('console', who.cookie());
  await late.get('/second-factor');
  const ending = new pg.Client({ connectionString: harness.databaseUrl });
  await ending.connect();
  onTestFinished(() => ending.end());
  await ending.query('begin');
  await ending.query('delete from member_sessions where member_id = $1', [member.memberId]);
  const answer = late.post('/second-factor', { code: codeOf(secretOn(form)) });
  await expect.poll(() => waitingForLocks(harness)).toBe(1);
  await ending.query('commit');
  expect((await answer).status).toBe(409);
});
