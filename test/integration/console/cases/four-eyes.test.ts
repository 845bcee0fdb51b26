import { describe, expect, test } from 'vitest';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { call, startHarness } from '#test/support/harness.ts';
import {
  goodPassword,
  joins,
  newVisitor,
  setUpSecondFactor,
  type Visitor,
} from '#test/support/people/console.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();
const { key } = await harness.key({ org: 'Acme' });
await harness.settings({ reviewEyes: 2 }, 'Acme');
const owner = await joins(harness, url, { role: 'owner' });
const reviewer = await joins(harness, url, { role: 'reviewer' });
const independent = await joins(harness, url, { role: 'reviewer' });

const inReview = async (): Promise<string> =>
  (
    await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { method: 'document_only', sandbox: { scenario: 'review' } },
    })
  ).json.id;

const claim = (visitor: Visitor, id: string) => visitor.submit('/review', `/review/${id}/claim`);
async function approve(visitor: Visitor, id: string) {
  expect((await claim(visitor, id)).location).toBe(`/review/${id}`);
  const reason = reasonsFor('approved', 'document_only');
  return visitor.submit(`/review/${id}`, `/review/${id}/decide`, { outcome: 'approved', reason });
}
const outcomeOf = async (id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.verdict.outcome;

let visitors = 0;
/** The owner makes a reset link for a member and opens it. Returns the browser, which is now that member. */
async function becomes(memberId: string): Promise<Visitor> {
  const shown = await owner.visitor.submit(`/members/${memberId}`, `/members/${memberId}/reset`);
  const link = /\/link\/[\w-]+/.exec(shown.html)?.[0] ?? '';
  const visitor = newVisitor(url, `203.0.113.${++visitors}`);
  expect((await visitor.submit(link, link, { password: goodPassword })).status).toBe(303);
  await setUpSecondFactor(visitor);
  return visitor;
}

test('two members whom the operator let in are four eyes', async () => {
  const id = await inReview();
  expect((await approve(reviewer.visitor, id)).location).toContain('awaits_other');
  expect((await approve(owner.visitor, id)).location).toContain('reviewed');
  expect(await outcomeOf(id)).toBe('approved');
});

test('an owner who makes a reset link and becomes that member is no second pair of eyes, in either order', async () => {
  const [first, second] = [await inReview(), await inReview()];
  const disguised = await becomes(reviewer.memberId);
  expect((await approve(owner.visitor, first)).location).toContain('awaits_other');
  const refused = await claim(disguised, first);
  expect(refused.status).toBe(409);
  expect(refused.html).toContain('Another member has to decide');

  expect((await approve(disguised, second)).location).toContain('awaits_other');
  expect((await claim(owner.visitor, second)).status).toBe(409);
  expect([await outcomeOf(first), await outcomeOf(second)]).toEqual(['review', 'review']);
  expect((await approve(independent.visitor, first)).location).toContain('reviewed');

  const [line] = await harness.rows<{ data: object }>`
    select data from ledger where type = 'member.reset' order by created_at desc limit 1`;
  expect(line?.data).toMatchObject({ member_id: reviewer.memberId, let_in_by: owner.memberId });
});

test('a member who becomes the other after the claim is refused at the decision', async () => {
  const id = await inReview();
  const member = await joins(harness, url, { role: 'reviewer' });
  await approve(owner.visitor, id);
  expect((await claim(member.visitor, id)).location).toBe(`/review/${id}`);
  const disguised = await becomes(member.memberId);
  const reason = reasonsFor('approved', 'document_only');
  const decided = await disguised.submit(`/review/${id}`, `/review/${id}/decide`, {
    ...{ outcome: 'approved', reason },
  });
  expect(decided.status).toBe(409);
  expect(await outcomeOf(id)).toBe('review');
});

describe('in an organisation of one owner', async () => {
  const org = 'Small';
  const small = await harness.key({ org });
  const boss = await joins(harness, url, { org, role: 'owner' });
  const people = '/members';
  const own = async (): Promise<string> => {
    const body = { method: 'document_only', sandbox: { scenario: 'review' } };
    return (await call(harness, 'POST', '/v1/verifications', { key: small.key, body })).json.id;
  };
  const rule = (reviewEyes: string) =>
    boss.visitor.submit('/organisation', '/organisation/rules', { reviewEyes });
  const page = async () => (await boss.visitor.get('/organisation')).html;
  const lacking = 'but today no two can';

  /** The owner invites somebody and uses the link. */
  async function invited(email: string, role: string): Promise<{ visitor: Visitor; memberId: string }> {
    const shown = await boss.visitor.submit(people, '/members', { email, role });
    const link = /\/link\/[\w-]+/.exec(shown.html)?.[0] ?? '';
    const visitor = newVisitor(url, `203.0.113.${++visitors}`);
    expect((await visitor.submit(link, link, { password: goodPassword })).status).toBe(303);
    if (role === 'reviewer') await setUpSecondFactor(visitor);
    const [row] = await harness.rows<{ id: string }>`select id from members where email = ${email}`;
    return { visitor, memberId: row?.id ?? '' };
  }

  test('the owner is told when setting four eyes that nobody can be the second', async () => {
    expect(await page()).not.toContain(lacking);
    expect((await rule('2')).location).toContain('saved');
    expect(await page()).toContain(lacking);
  });

  test('whom the owner invited is no second of the owner, in either order, and is one after 30 days', async () => {
    const puppet = await invited('puppet@example.com', 'reviewer');
    const [first, second] = [await own(), await own()];
    expect((await approve(boss.visitor, first)).location).toContain('awaits_other');
    expect((await claim(puppet.visitor, first)).status).toBe(409);
    expect((await approve(puppet.visitor, second)).location).toContain('awaits_other');
    expect((await claim(boss.visitor, second)).status).toBe(409);
    expect(await page()).toContain(lacking);

    await harness.rows`
      update ledger set created_at = created_at - interval '29 days 23 hours' where subject_id = ${small.organisationId}`;
    expect((await claim(puppet.visitor, first)).status).toBe(409);
    await harness.rows`
      update ledger set created_at = created_at - interval '2 hours' where subject_id = ${small.organisationId}`;
    expect(await page()).not.toContain(lacking);
    expect((await approve(puppet.visitor, first)).location).toContain('reviewed');
  });

  test('to whom the owner gave a role is no second of the owner, nor is who came in by them', async () => {
    const risen = await joins(harness, url, { org, role: 'developer' });
    const id = await own();
    expect((await approve(boss.visitor, id)).location).toContain('awaits_other');
    const role = `/members/${risen.memberId}`;
    expect((await boss.visitor.submit(role, `${role}/role`, { role: 'owner' })).status).toBe(303);
    expect((await claim(risen.visitor, id)).status).toBe(409);

    const shown = await risen.visitor.submit(people, '/members', {
      email: 'third@example.com',
      role: 'reviewer',
    });
    const link = /\/link\/[\w-]+/.exec(shown.html)?.[0] ?? '';
    const third = newVisitor(url, `203.0.113.${++visitors}`);
    expect((await third.submit(link, link, { password: goodPassword })).status).toBe(303);
    await setUpSecondFactor(third);
    expect((await claim(third, id)).status).toBe(409);
  });

  test('two whom the same member let in can decide together, and the line of the review says who let them in', async () => {
    const [one, two] = [
      await invited('one@example.com', 'reviewer'),
      await invited('two@example.com', 'reviewer'),
    ];
    const id = await own();
    expect((await approve(one.visitor, id)).location).toContain('awaits_other');
    expect((await approve(two.visitor, id)).location).toContain('reviewed');
    const [line] = await harness.rows<{ data: { decisions: object[] } }>`
      select data from ledger where subject_id = ${id} and type = 'verification.reviewed'`;
    expect(line?.data.decisions).toMatchObject([
      { member_id: one.memberId, access_from: [boss.memberId] },
      { member_id: two.memberId, access_from: [boss.memberId] },
    ]);
  });
});
