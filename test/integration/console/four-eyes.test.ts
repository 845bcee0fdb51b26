import { expect, test } from 'vitest';
import { reasonsFor } from '#test/integration/reviews/reasons.ts';
import { goodPassword, joins, newVisitor, setUpSecondFactor, type Visitor } from '#test/support/console.ts';
import { call, startHarness } from '#test/support/harness.ts';

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
  await harness.rows`update members set let_in_by = ${owner.memberId} where id = ${member.memberId}`;
  const reason = reasonsFor('approved', 'document_only');
  const decided = await member.visitor.submit(`/review/${id}`, `/review/${id}/decide`, {
    ...{ outcome: 'approved', reason },
  });
  expect(decided.status).toBe(409);
  expect(await outcomeOf(id)).toBe('review');
});
