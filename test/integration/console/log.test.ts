import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { logTexts } from '#api/console/texts/log.ts';
import { joins } from '#test/support/people/console.ts';
import { browser, harness, organisationId, owner, reference, url, withPasskey } from './acting.ts';
import { type Act, acts } from './every-form.ts';

/** Everything that somebody does in the console leaves a line with the person, and owners read these lines. */

const forms = consolePages.filter(({ method }) => method === 'POST').map(({ path }) => path);
const linesOf = async (type: string) => {
  const rows = await harness.rows<{ id: string }>`
    select data -> 'actor' ->> 'id' as id from ledger
    where org_id = ${organisationId} and type = ${type} and data -> 'actor' ->> 'kind' in ('member', 'operator')`;
  return rows.map(({ id }) => id);
};

test('every form of the console stands in the list of this test', () =>
  expect(Object.keys(acts).sort()).toEqual([...forms].sort()));

type Leaving = Act & { line: string };
const leavesLine = (each: [string, Act]): each is [string, Leaving] => each[1].line !== null;
const listed = Object.entries(acts).filter(leavesLine);
const silent = Object.entries(acts).filter((each) => !leavesLine(each));

test.each(listed)('%s leaves a line that names the person', async (path, { line, run }) => {
  const before = await linesOf(line);
  const result = await run();
  const isMember = typeof result === 'string' && !path.startsWith('/review/');
  const by = isMember ? result : owner.memberId;
  const times = (ids: readonly string[]) => ids.filter((id) => id === by).length;
  await expect.poll(async () => times(await linesOf(line)), { timeout: 30_000 }).toBe(times(before) + 1);
});

test.each(silent)('%s changes nothing, and leaves no line and no row', async (_, { run }) => {
  const state = () =>
    harness.rows`select (select count(*) from ledger) as lines, (select count(*) from member_passkeys) as passkeys`;
  const before = await state();
  await run();
  expect(await state()).toEqual(before);
});

/** The rows of one page of the log: person and action. */
const page = async (query = '', visitor = owner.visitor) => {
  const { html, status } = await visitor.get(`/log${query}`);
  expect(status).toBe(200);
  const rows = [
    ...html.matchAll(/<td[^>]*><time datetime="([^"]+)".*?<\/td><td[^>]*>(.*?)<\/td><th[^>]*>([^<]+)/gs),
  ];
  const next = /href="\/log(\?[^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  return { html, next, rows: rows.map(([, at = '', by = '', act = '']) => ({ at, by, act })) };
};
/** All pages. */
const whole = async (query = '', visitor = owner.visitor) => {
  const pages = [await page(query, visitor)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
    pages.push(await page(next, visitor));
  return { html: pages.map(({ html }) => html).join(''), rows: pages.flatMap(({ rows }) => rows) };
};

test('an owner reads every line in words, newest first and page by page, and no value of an end user', async () => {
  const { html, rows } = await whole();
  expect((await page()).rows).toHaveLength(50);
  const [{ count } = { count: 0 }] = await harness.rows<{ count: number }>`
    select count(*)::int as count from ledger
    where org_id = ${organisationId} and data -> 'actor' ->> 'kind' in ('member', 'operator')`;
  expect(rows).toHaveLength(count);
  const times = rows.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  const words = logTexts.en.acts;
  for (const [path, { line }] of listed) {
    expect([path, words[line] !== undefined]).toEqual([path, true]);
    expect([path, rows.some(({ act }) => act === words[line])]).toEqual([path, true]);
  }
  for (const { act } of rows) expect(Object.values(words)).toContain(act);
  expect(html).not.toContain(reference);
  expect(html).toContain('Auditor → Developer');
  expect(html).toContain('with a passkey');
});

test('the log says in words what changed, and no text that somebody wrote', async () => {
  const { html } = await whole();
  const words = [
    'Days that pictures are kept at most: 30 days → 21 days',
    'Live keys may erase personal data: no → yes',
    'Status: active → paused',
    '<small>Purpose</small><br/><small>Contact</small><br/><small>Privacy statement</small>',
    '<small>Logo</small>',
    '<small>Contract for iDIN</small>',
    '<small>Sandbox</small><br/><small>verify:read</small><br/><small>Ends: ',
    '<small>sandbox</small><br/><small>verification.completed</small>',
    'The old secret also signs for: no time: it ends now',
    'The old key works until <time',
    'To send again: 1',
    'Paused since <time',
    'Outcome: approved',
    '<small>JSON</small>',
    '<small>Front, BSN covered</small>',
  ];
  const hidden = ['evidence_days', 'To open your account', 'help@shop.example', '#0a5c8a'];
  expect([...words, ...hidden].filter((each) => !html.includes(each))).toEqual(hidden);
});

test('the log of one person and of one kind has nothing else, and values that nothing has find no fault', async () => {
  const all = (await whole()).rows;
  const own = (await whole(`?by=${owner.memberId}`)).rows;
  expect(own).toEqual(all.filter(({ by }) => by === owner.email));
  expect(own.length).toBeGreaterThan(20);
  const byOperator = (await whole('?by=operator')).rows;
  expect(byOperator).toEqual(all.filter(({ by }) => by.startsWith('the operator')));
  const named = new Set(byOperator.map(({ by }) => by));
  expect(named).toContain('the operator');
  expect([...named].filter((by) => /^the operator<br\/><small><code>[\da-f-]{36}</.test(by))).toHaveLength(4);
  const keys = (await whole(`?by=${owner.memberId}&kind=keys`)).rows.map(({ act }) => act);
  expect(new Set(keys)).toEqual(new Set(['Made an API key', 'Replaced an API key', 'Revoked an API key']));
  for (const query of ['?by=x&kind=x&after=x', '?after=1_x_1', `?after=99999999999999_${randomUUID()}_1`])
    await page(query);
});

test('an owner of another organisation sees nothing of it', async () => {
  const foreign = await joins(harness, url, { org: 'Other', role: 'owner' });
  const { html, rows } = await whole('', foreign.visitor);
  expect(rows.map(({ act }) => act)).toEqual([
    ...['Set up the second factor', 'Accepted the invitation', 'Invited a member'],
  ]);
  expect(html).not.toContain(owner.email);
});

const day = (later: number) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);

test('days of the zone narrow the log: both belong to it, whatever place is asked for, and pages go on inside', async () => {
  const { visitor, memberId } = await joins(harness, url, { org: 'Days', role: 'owner' });
  const acts = async (query: string) => (await whole(query, visitor)).rows.map(({ act }) => act);
  for (const [type, at] of [
    ['member.invited', '2026-03-01T22:59:59.999Z'],
    ['member.joined', '2026-03-01T23:00:00.000Z'],
    ['account.second_factor_set', '2026-03-02T22:59:59.999Z'],
  ])
    await harness.rows`
      update ledger set created_at = ${at} where type = ${type}
        and org_id = (select org_id from members where id = ${memberId})`;
  const [invited, accepted, factor] = (await acts('')).toReversed();
  expect(await acts('')).toEqual([factor, accepted, invited]);
  expect(await acts('?from=2026-03-02&until=2026-03-02')).toEqual([factor, accepted]);
  expect(await acts('?from=2026-03-02')).toEqual([factor, accepted]);
  expect(await acts('?until=2026-03-01')).toEqual([invited]);
  expect(await acts('?from=2026-03-02&kind=accounts')).toEqual([factor]);
  expect(await acts('?from=2026-03-03')).toEqual([]);
  expect(await acts('?from=2026-03-02&until=2026-03-01')).toEqual([]);
  expect(await acts('?from=1000-01-01&until=9999-12-31')).toHaveLength(3);
  const newest = `${Date.now()}_ffffffff-ffff-ffff-ffff-ffffffffffff_1`;
  expect(await acts(`?until=2026-03-01&after=${newest}`)).toEqual([invited]);
  const { html } = await page('?from=2026-03-03', visitor);
  expect(html).toContain('No line matches');
  const { html: older } = await page('?after=1_00000000-0000-4000-8000-000000000000_1', visitor);
  expect(older).toContain('In this part of the search nothing matches');
  expect(html).toContain('<small id="from-hint">Time zone: Europe/Amsterdam</small>');
  const all = (await whole()).rows;
  expect((await whole(`?from=${day(-1)}&until=${day(1)}`)).rows).toEqual(all);
  expect(all.length).toBeGreaterThan(50);
});

test.each(['from', 'until'])(
  'what is no day is a fault beside %s, and the log is not shown',
  async (name) => {
    for (const wrong of ['yesterday', '2026-02-30', '02-03-2026']) {
      const { status, html } = await owner.visitor.get(`/log?${name}=${wrong}`);
      expect([wrong, status, html.includes(`id="${name}-fault"`)]).toEqual([wrong, 422, true]);
      expect(html).toContain(`value="${wrong}"`);
      expect(html).not.toContain('<table');
    }
  },
);

test('a passkey that two devices have is in the log, though nobody signed in', async () => {
  const { device, memberId } = await withPasskey();
  for (const counter of [5, 6, 6]) {
    const visitor = browser();
    const { token = '' } = await visitor.get('/sign-in');
    await visitor.post('/sign-in/passkey', { credential: device.get(token, { counter }) }, { token });
  }
  const [line] = await harness.rows<{ data: object }>`
    select data from ledger where type = 'member.passkey_blocked' order by created_at desc limit 1`;
  expect(line?.data).toMatchObject({ member_id: memberId, actor: { kind: 'machine' } });
  expect((await page()).rows[0]).toMatchObject({
    ...{ by: 'the service itself', act: 'Blocked a passkey, because two devices had it' },
  });
});
