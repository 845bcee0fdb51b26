import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { rights } from '#api/console/roles.ts';
import { type MemberRole, memberRoles } from '#contract/members.ts';
import { type Joined, joins, newVisitor } from '#test/support/console.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();

/** Who may do what, written down a second time and by hand: a change of the table must be meant. */
const expected: Record<string, readonly MemberRole[]> = {
  'account.own': ['owner', 'developer', 'reviewer', 'auditor'],
  'keys.see': ['owner', 'developer', 'auditor'],
  'keys.change': ['owner', 'developer'],
  'members.see': ['owner', 'auditor'],
  'members.change': ['owner'],
  'webhooks.see': ['owner', 'developer', 'auditor'],
  'webhooks.change': ['owner', 'developer'],
  'verifications.see': ['owner', 'developer', 'auditor'],
  'verifications.change': ['owner', 'developer'],
  'verifications.erase': ['owner'],
  'queue.see': ['owner', 'reviewer', 'auditor'],
  'queue.decide': ['owner', 'reviewer'],
  'evidence.see': ['owner', 'reviewer'],
  'dossiers.make': ['owner', 'auditor'],
};

test('each right belongs to these roles', () => expect(rights).toEqual(expected));

const { key: apiKey, id: keyId } = await harness.key({ org: 'Acme' });
const foreignKey = await harness.key({ org: 'Other' });
const members = {} as Record<MemberRole, Joined>;
for (const role of memberRoles) members[role] = await joins(harness, url, { role });
const foreign = await joins(harness, url, { org: 'Other', role: 'owner' });
const foreignDeveloper = await joins(harness, url, { org: 'Other', role: 'developer' });

/** The rows that a form could change, but for the sessions of those who send it, and for the last use of a key, which is written later. */
const snapshot = async () => {
  const rows = await harness.rows<{ text: string }>`
    select text from (
      select 'k' || (to_jsonb(api_keys) - 'last_used_at')::text as text from api_keys union all
      select 'm' || row(id, org_id, email, role, password_hash, totp_secret, language, time_zone, disabled_at)::text from members union all
      select 'l' || row(member_id, token_hash)::text from member_links union all
      select 'c' || member_recovery_codes::text from member_recovery_codes union all
      select 'g' || row(subject_id, sequence)::text from ledger
    ) as rows order by text`;
  return rows.map(({ text }) => text);
};

const pathsOf = (path: string, id: string) => path.replace(':id', id).replace(':token', 'unknown');
/** The ids that a path can name, by the first part of the path. */
type Ids = Record<string, string>;
const targetOf = (path: string, ids: Ids) => pathsOf(path, ids[path.split('/')[1] ?? ''] ?? randomUUID());

const verificationOf = async (key: string): Promise<string> =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { sandbox: { scenario: 'review' } } })).json
    .id;
const own: Ids = {
  keys: keyId,
  members: members.developer.memberId,
  verifications: await verificationOf(apiKey),
  review: await verificationOf(apiKey),
};
const others: Ids = {
  keys: foreignKey.id,
  members: foreignDeveloper.memberId,
  verifications: await verificationOf(foreignKey.key),
  review: await verificationOf(foreignKey.key),
};

const guarded = consolePages.filter((page) => page.for in rights);

describe.each(memberRoles)('%s', (role) => {
  test.each(guarded.filter(({ method }) => method === 'GET').map((page) => [page.path, page] as const))(
    'sees %s only with the right',
    async (_, page) => {
      const path = targetOf(page.path, own);
      const { status, html } = await members[role].visitor.get(path);
      const isAllowed = expected[page.for]?.includes(role);
      // Nobody has claimed the verification, and only who did sees its pictures.
      const shown = page.path === '/review/:id' ? 409 : 200;
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
    };
    const { status, html } = await visitor.submit('/account', path, fields);
    expect(status).toBe(403);
    expect(html).toContain('Nothing was changed');
    expect(await snapshot()).toEqual(before);
  });

  test('has only pages in the navigation that open', async () => {
    const { visitor } = members[role];
    const nav = /<nav[^>]*>(.*?)<\/nav>/s.exec((await visitor.get('/')).html)?.[1] ?? '';
    const paths = [...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) expect([path, (await visitor.get(path)).status]).toEqual([path, 200]);
  });
});

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
  expect([status, location]).toEqual([303, '/sign-in']);
  expect(await snapshot()).toEqual(before);
});

test.each(
  guarded
    .filter(({ path }) => path.includes(':id'))
    .map((page) => [`${page.method} ${page.path}`, page] as const),
)(
  '%s with an id of another organisation, an unknown id and a malformed id is the same, and changes nothing',
  async (_, page) => {
    const before = await snapshot();
    const answers: string[] = [];
    const { visitor } = members.owner;
    const ids = [targetOf(page.path, others), pathsOf(page.path, randomUUID()), pathsOf(page.path, 'x')];
    for (const path of ids) {
      const answer =
        page.method === 'GET'
          ? await visitor.get(path)
          : await visitor.submit('/account', path, { role: 'auditor', overlap: '0' });
      answers.push(
        `${answer.status} ${answer.location} ${answer.html.replaceAll(/name="token" value="[^"]*"/g, '')}`,
      );
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(page.path.startsWith('/account') ? /^303/ : /^404/);
    expect(await snapshot()).toEqual(before);
  },
);

test('the lists of one organisation show nothing of another', async () => {
  for (const path of ['/', '/keys', '/members', '/account']) {
    const { html } = await foreign.visitor.get(path);
    expect(html).toContain('Other');
    for (const word of ['Acme', ...memberRoles.map((role) => members[role].email), apiKey.slice(-4)])
      expect([path, html.includes(word)]).toEqual([path, false]);
  }
});

test('a member of another organisation cannot end my session', async () => {
  const [session] = await harness.rows<{ id: string }>`
    select id from member_sessions where member_id = ${members.developer.memberId}`;
  await foreign.visitor.submit('/account', `/account/sessions/${session?.id}/end`);
  expect((await members.developer.visitor.get('/keys')).status).toBe(200);
});

test('a role that needs a second factor opens nothing before it is set up, also when the role is changed', async () => {
  const promoted = await joins(harness, url, { role: 'auditor' });
  expect((await promoted.visitor.get('/keys')).status).toBe(200);
  await members.owner.visitor.submit('/members', `/members/${promoted.memberId}/role`, { role: 'owner' });
  for (const path of ['/', '/keys', '/members', '/account'])
    expect([path, (await promoted.visitor.get(path)).location]).toEqual([path, '/second-factor']);
});
