import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { type ConsoleRole, consoleRoles, memberRoles, rolesWithSecondFactor } from '#contract/members.ts';
import { rights } from '#policy/rights.ts';
import { startHarness } from '#test/support/harness.ts';
import { goodPassword, joins, newVisitor, pathOfInvitation } from '#test/support/people/console.ts';
import { pathsOf, targetOf, twoOrganisations, withoutTokens } from './crossed/two-organisations.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();
const two = await twoOrganisations(harness, url);
const { joined: members, ids: own } = two.Acme;
const { joined: foreigners, ids: others } = two.Globex;

/** Who may do what, written down a second time and by hand: a change of the table must be meant. */
const expected: Record<string, readonly ConsoleRole[]> = {
  'account.own': ['owner', 'developer', 'reviewer', 'auditor', 'operator'],
  'organisation.see': ['owner', 'developer', 'auditor'],
  'organisation.change': ['owner'],
  'keys.see': ['owner', 'developer', 'auditor'],
  'keys.change': ['owner', 'developer'],
  'members.see': ['owner', 'auditor'],
  'members.change': ['owner'],
  'webhooks.see': ['owner', 'developer', 'auditor'],
  'webhooks.change': ['owner', 'developer'],
  'webhooks.contents': ['owner', 'developer'],
  'requests.see': ['owner', 'developer', 'auditor'],
  'usage.see': ['owner', 'developer', 'auditor'],
  'verifications.open': ['owner', 'developer', 'reviewer', 'auditor'],
  'verifications.see': ['owner', 'developer', 'auditor'],
  'verifications.create': [],
  'verifications.change': ['owner', 'developer'],
  'verifications.erase': ['owner'],
  'queue.see': ['owner', 'reviewer', 'auditor'],
  'queue.decide': ['owner', 'reviewer'],
  'evidence.see': ['owner', 'reviewer'],
  'dossiers.make': ['owner', 'auditor'],
  'log.see': ['owner', 'auditor'],
  'operators.see': ['operator'],
  'operators.change': ['operator'],
};

test('each right belongs to these roles', () => expect(rights).toEqual(expected));

/** The rows that a form could change, but for the sessions of those who send it, and for the last use of a key, which is written later. */
const snapshot = async () => {
  const rows = await harness.rows<{ text: string }>`
    select text from (
      select 'k' || (to_jsonb(api_keys) - 'last_used_at')::text as text from api_keys union all
      select 'm' || row(id, org_id, email, role, password_hash, totp_secret, language, time_zone, disabled_at)::text from members union all
      select 'l' || row(member_id, token_hash)::text from member_links union all
      select 'c' || member_recovery_codes::text from member_recovery_codes union all
      select 'p' || row(id, member_id, name)::text from member_passkeys union all
      select 's' || organisations::text from organisations union all
      select 'h' || row(org_id, sha256)::text from organisation_logos union all
      select 'e' || row(org_id, changed_at, value)::text from eid_contracts union all
      select 'w' || row(id, active, paused_at, secret, previous_secret)::text from webhook_endpoints union all
      select 'o' || delivery_orders.id::text from delivery_orders union all
      select 'd' || deliveries.id::text from deliveries union all
      select 'v' || verifications::text from verifications union all
      select 'r' || review_claims::text from review_claims union all
      select 'x' || review_decisions::text from review_decisions union all
      select 'g' || row(subject_id, sequence)::text from ledger
    ) as rows order by text`;
  return rows.map(({ text }) => text);
};

const guarded = consolePages.filter((page) => page.for in rights);

describe.each(consoleRoles)('%s', (role) => {
  test.each(guarded.filter(({ method }) => method === 'GET').map((page) => [page.path, page] as const))(
    'sees %s only with the right',
    async (_, page) => {
      const path = targetOf(page.path, own);
      const { status, html } = await members[role].visitor.get(path);
      const isAllowed = expected[page.for]?.includes(role);
      // Nobody has claimed the verification, and only who did sees its pictures. A dossier is there for who ordered it.
      const home = page.path === '/' && ['reviewer', 'operator'].includes(role) ? 303 : 200;
      const shown = page.path === '/review/:id' ? 409 : page.path.startsWith('/dossiers/') ? 404 : home;
      expect([path, status]).toEqual([path, isAllowed ? shown : 403]);
      if (!isAllowed) expect(html).not.toMatch(/svc_(test|live)_|member\d+@example\.com.*<\/td>/);
    },
  );

  test.each(
    guarded
      .filter((page) => page.method === 'POST' && !expected[page.for]?.includes(role))
      .map((page) => [page.path, page] as const),
  )('sends %s in vain, with a valid token', async (_, page) => {
    const before = await snapshot();
    const path = targetOf(page.path, own);
    const { visitor } = members[role];
    const fields = {
      role: 'owner',
      email: 'new@example.com',
      overlap: '0',
      name: 'x',
      environment: 'live',
      scopes: 'verify:read',
      sure: 'yes',
    };
    const { status, html } = await visitor.submit('/account', path, fields);
    expect(status).toBe(403);
    expect(html).toContain('Nothing was changed');
    expect(await snapshot()).toEqual(before);
  });

  test('has only pages in the navigation that open', async () => {
    const { visitor } = members[role];
    const nav = /<nav[^>]*>(.*?)<\/nav>/s.exec((await visitor.get('/account')).html)?.[1] ?? '';
    const paths = [...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  });
});

test.each(guarded.filter(({ method }) => method === 'POST').map((page) => [page.path, page] as const))(
  'a role that may send %s changes nothing without a token, or with a token of another member',
  async (_, page) => {
    const before = await snapshot();
    const path = targetOf(page.path, own);
    const fields = {
      role: 'auditor',
      overlap: '0',
      name: 'x',
      environment: 'live',
      scopes: 'verify:read',
      sure: 'yes',
    };
    const token = (await foreigners.owner.visitor.get('/account')).token ?? '';
    for (const role of expected[page.for] ?? [])
      for (const sent of [null, token]) {
        const { status, html } = await members[role].visitor.post(path, fields, { token: sent });
        expect([role, status]).toEqual([role, 403]);
        expect(html).toContain('Nothing was changed');
      }
    expect(await snapshot()).toEqual(before);
  },
);

test.each(
  consolePages
    .filter((page) => page.for !== 'anybody')
    .map((page) => [`${page.method} ${page.path}`, page] as const),
)('%s leads somebody without a session to the sign-in, and changes nothing', async (_, page) => {
  const before = await snapshot();
  const visitor = newVisitor(url);
  const path = targetOf(page.path, own);
  await visitor.get('/sign-in');
  const { status, location } = page.method === 'GET' ? await visitor.get(path) : await visitor.post(path);
  expect([status, location?.replace(/\?.*/, '')]).toEqual([303, '/sign-in']);
  expect(await snapshot()).toEqual(before);
});

/** Who may use a page, in both organisations, and the ids of the other one. The row of the operators is no organisation. */
const crossings = (page: (typeof guarded)[number]) =>
  consoleRoles
    .filter((role) => expected[page.for]?.includes(role))
    .flatMap((role) => [
      { who: `${role} of Acme`, visitor: members[role].visitor, theirs: others },
      ...(role === 'operator'
        ? []
        : [{ who: `${role} of Globex`, visitor: foreigners[role].visitor, theirs: own }]),
    ]);

describe.each(
  guarded
    .filter(({ path }) => path.includes(':id'))
    .map((page) => [`${page.method} ${page.path}`, page] as const),
)('%s with an id of another organisation, an unknown id and a malformed id', (_, page) => {
  test.each(crossings(page).map((crossing) => [crossing.who, crossing] as const))(
    'is the same to the %s, and changes nothing',
    async (_who, { visitor, theirs }) => {
      const before = await snapshot();
      const answers: string[] = [];
      const ids = [targetOf(page.path, theirs), pathsOf(page.path, randomUUID()), pathsOf(page.path, 'x')];
      for (const path of ids) {
        const answer =
          page.method === 'GET'
            ? await visitor.get(path)
            : await visitor.submit('/account', path, { role: 'auditor', overlap: '0', sure: 'yes' });
        answers.push(`${answer.status} ${answer.location} ${withoutTokens(answer.html)}`);
      }
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toMatch(page.path.startsWith('/account') ? /^303/ : /^404/);
      expect(await snapshot()).toEqual(before);
    },
  );
});

const lists = guarded.filter(({ method, path }) => method === 'GET' && !path.includes(':'));
describe.each([
  ['Acme', two.Acme, two.Globex],
  ['Globex', two.Globex, two.Acme],
] as const)('the lists of %s', (org, { joined }, { words }) => {
  test.each(memberRoles)('show the %s nothing of the other organisation', async (role) => {
    const own = lists.filter(
      ({ for: right, path }) => expected[right]?.includes(role) && !(path === '/' && role === 'reviewer'),
    );
    for (const page of own) {
      const { status, html } = await joined[role].visitor.get(page.path);
      const shown = withoutTokens(html);
      expect([page.path, status, shown.includes(org)]).toEqual([page.path, 200, true]);
      for (const word of words)
        expect([page.path, word, shown.includes(word)]).toEqual([page.path, word, false]);
    }
  });
});

test('a member of another organisation cannot end my session', async () => {
  const [session] = await harness.rows<{ id: string }>`
    select id from member_sessions where member_id = ${members.developer.memberId}`;
  await foreigners.owner.visitor.submit('/account', `/account/sessions/${session?.id}/end`);
  expect((await members.developer.visitor.get('/keys')).status).toBe(200);
});

test('a role that needs a second factor opens nothing before it is set up, also when the role is changed', async () => {
  const promoted = await joins(harness, url, { role: 'auditor' });
  expect((await promoted.visitor.get('/keys')).status).toBe(200);
  await members.owner.visitor.submit('/members', `/members/${promoted.memberId}/role`, { role: 'owner' });
  for (const path of ['/', '/keys', '/members', '/account'])
    expect([path, (await promoted.visitor.get(path)).location?.replace(/\?.*/, '')]).toEqual([
      path,
      '/second-factor',
    ]);
});

test('whoever makes keys, invites or decides needs a second factor', () => {
  const bound = (['keys.change', 'members.change', 'queue.decide', 'operators.change'] as const).flatMap(
    (right) => [...rights[right]],
  );
  expect([...new Set(bound)].sort()).toEqual([...rolesWithSecondFactor].sort());
});

test('a developer opens nothing before the second factor is set up', async () => {
  const path = await pathOfInvitation(harness, 'Acme', { email: 'late@example.com', role: 'developer' });
  const visitor = newVisitor(url, '198.51.100.99');
  await visitor.submit(path, path, { password: goodPassword });
  for (const page of ['/', '/keys', '/keys/new', '/webhooks'])
    expect([page, (await visitor.get(page)).location?.replace(/\?.*/, '')]).toEqual([page, '/second-factor']);
});
