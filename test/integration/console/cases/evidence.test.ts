import { expect, test } from 'vitest';
import type { MemberRole } from '#contract/members.ts';
import { doubtful } from '#test/integration/dossiers/support.ts';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Joined, joins } from '#test/support/people/console.ts';
import { startOffice } from '../../reviews/support.ts';

const harness = await startHarness({ documents: doubtful });
const live = await startOffice(harness, { environment: 'live' });
const { url } = await harness.startConsole();
const join = (role: MemberRole, org = live.org) => joins(harness, url, { org, role });
const [anna, bram, owner] = [await join('reviewer'), await join('reviewer'), await join('owner')];
const [developer, auditor] = [await join('developer'), await join('auditor')];

const pathOf = (id: string) => `/verifications/${id}`;
const see = ({ visitor }: Joined, id: string) => visitor.get(pathOf(id));
const look = ({ visitor }: Joined, id: string) => visitor.submit(pathOf(id), `${pathOf(id)}/evidence`);
const looks = async (id: string) =>
  (await live.lines(id)).filter(({ type }) => type === 'evidence.viewed').map(({ data }) => data);
const approve = async ({ visitor }: Joined, id: string) => {
  await visitor.submit('/review', `/review/${id}/claim`);
  const reason = reasonsFor('approved');
  return visitor.submit(`/review/${id}`, `/review/${id}/decide`, { outcome: 'approved', reason });
};

test('an owner and a reviewer see the pictures when they ask for them, and each look is a line that names them', async () => {
  const id = await live.walked();
  for (const who of [owner, anna]) {
    const page = await see(who, id);
    expect(page.html).toContain('Show the evidence');
    expect(page.html).not.toContain('data:image');
    expect(page.headers.get('content-security-policy')).not.toContain('data:');
  }
  expect(await looks(id)).toEqual([]);
  for (const who of [owner, anna]) {
    const shown = await look(who, id);
    expect(shown.status).toBe(200);
    expect(shown.html.match(/src="data:image\/jpeg;base64,/g)?.length).toBeGreaterThanOrEqual(2);
    expect(shown.html).toContain(`Somebody looked at the evidence, by member ${who.email}`);
    expect(shown.headers.get('cache-control')).toBe('no-store');
  }
  const stored = await harness.rows<{ kind: string }>`
    select kind from evidence where verification_id = ${id} order by kind`;
  const kinds = stored.map(({ kind }) => kind);
  expect(await looks(id)).toEqual(
    [owner, anna].map(({ memberId }) => ({ kinds, actor: { kind: 'member', id: memberId } })),
  );
});

test('a rejection by the machine is seen before it is given to reviewers', async () => {
  const id = await live.walked();
  await harness.rows`
    update verifications set verdict = verdict || '{"outcome": "rejected"}' where id = ${id}`;
  const page = await look(anna, id);
  expect(page.html).toContain('data:image/jpeg');
  expect(page.html).toContain(`${pathOf(id)}/reopen`);
  expect(page.html).not.toContain(`/review/${id}/claim`);
});

test('a developer and an auditor see no evidence, and leave no line', async () => {
  const id = await live.walked();
  for (const who of [developer, auditor]) {
    expect((await see(who, id)).html).not.toContain('Show the evidence');
    expect((await look(who, id)).status).toBe(403);
  }
  expect((await look(await join('owner', 'Stranger'), id)).status).toBe(404);
  expect(await looks(id)).toEqual([]);
});

test('before the verdict there is nothing to see', async () => {
  const { json } = await live.ask('POST', '/verifications', { method: 'document_liveness' });
  expect((await see(owner, json.id)).html).toContain('when there is a verdict');
  expect((await look(owner, json.id)).status).toBe(409);
});

test('an original that is not masked yet is shown to nobody', async () => {
  const id = await live.walked();
  await harness.rows`
    insert into evidence (verification_id, org_id, environment, kind)
    select id, org_id, environment, 'card_front' from verifications where id = ${id}`;
  expect((await see(owner, id)).html).toContain(
    'The copy of the document without the BSN is still being made',
  );
  const refused = await look(owner, id);
  expect([refused.status, refused.html.includes('data:image')]).toEqual([409, false]);
  expect(await looks(id)).toEqual([]);
});

test('what is kept no longer is not shown; the page says since when: after a decision, a purge and an erasure', async () => {
  const [decided, purged, erased] = [await live.walked(), await live.walked(), await live.walked()];
  expect((await approve(anna, decided)).location).toContain('notice=reviewed');
  await harness.rows`delete from evidence where verification_id = ${purged}`;
  await harness.rows`
    insert into ledger (subject_id, org_id, sequence, type, data, hash, previous_hash, created_at)
    select subject_id, org_id, sequence + 1, 'evidence.purged', '{}'::jsonb, sha256(hash), hash, '2026-01-02T03:04:00Z'::timestamptz
    from ledger where subject_id = ${purged} order by sequence desc limit 1`;
  await owner.visitor.submit(pathOf(erased), `${pathOf(erased)}/erase`, { sure: 'yes' });
  for (const id of [decided, purged, erased]) {
    const { html } = await see(owner, id);
    expect(html).toMatch(/kept no longer, since <time/);
    const refused = await look(owner, id);
    expect([refused.status, refused.html.includes('data:image')]).toEqual([409, false]);
  }
  expect((await see(owner, purged)).html).toContain('since <time datetime="2026-01-02T03:04:00.000Z"');
});

test('sandbox shows specimens, and a look at them is no line', async () => {
  const sandbox = await startOffice(harness);
  const id = await sandbox.inReview();
  const reviewer = await join('reviewer', sandbox.org);
  const page = await look(reviewer, id);
  expect(page.html).toContain('/assets/passport_page.svg');
  expect(await looks(id)).toEqual([]);
});

test('queue, review and verification lead to each other', async () => {
  const id = await live.walked({ reference: 'customer 51' });
  expect((await anna.visitor.get('/review')).html).toContain(`href="${pathOf(id)}"`);
  const page = await see(anna, id);
  expect(page.html).toContain(`action="/review/${id}/claim"`);
  expect(page.html).not.toMatch(/href="\/(deliveries|verifications\?)/);
  expect((await see(auditor, id)).html).not.toContain(`/review/${id}/claim`);
  expect((await anna.visitor.post(`/review/${id}/claim`)).location).toBe(`/review/${id}`);
  expect((await anna.visitor.get(`/review/${id}`)).html).toContain(`href="${pathOf(id)}"`);
  await anna.visitor.submit('/review', `/review/${id}/release`);
});

test('with four eyes, no page tells the second reviewer what the first chose before the own decision', async () => {
  await harness.settings({ reviewEyes: 2 }, live.org);
  const id = await live.walked({ reference: 'customer 52' });
  const untouched = await see(bram, id);
  expect((await approve(anna, id)).location).toContain('notice=awaits_other');
  for (const who of [bram, owner]) {
    const history = (await see(who, id)).html;
    expect(history).toContain('A reviewer decided; another one has to decide too');
    const told = (html: string) => html.match(/approved|rejected|reviewer_\w+/g) ?? [];
    expect(told(history)).toEqual(told(untouched.html));
  }
  const [line] = (await live.lines(id)).filter(({ type }) => type === 'verification.assessed');
  expect(Object.keys(line?.data ?? {}).sort()).toEqual(['actor', 'decision_id', 'number']);
  expect((await approve(bram, id)).location).toContain('notice=reviewed');
  expect((await see(bram, id)).html).toContain('A reviewer replaced the verdict, Outcome: approved');
  await harness.settings({ reviewEyes: 1 }, live.org);
});
