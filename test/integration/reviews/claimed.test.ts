import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { releaseReview } from '#services/reviews/claim.ts';
import { startHarness } from '#test/support/harness.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

const harness = await startHarness();
const office = await startOffice(harness);

/** The time of the claim is over. */
const expire = (id: string) =>
  harness.rows`
    update review_claims set claimed_at = now() - interval '1 hour', expires_at = now() - interval '1 second'
    where verification_id = ${id}`;

const member = (n: number) => ({ id: `member-${n}` });

test('of twenty members at once one has the verification', async () => {
  const id = await office.inReview();
  const claims = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => office.claim(member(n), id)));
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const claim of claims)
    if (claim.status === 'rejected') expect(claim.reason).toEqual(refusal('claimed_by_other'));
});

test('the member who has it extends it, and gives it back', async () => {
  const id = await office.inReview();
  const first = await office.claim(anna, id);
  await harness.rows`update review_claims set expires_at = now() + interval '1 minute' where verification_id = ${id}`;
  const again = await office.claim(anna, id);
  expect(again.expiresAt.getTime()).toBeGreaterThanOrEqual(first.expiresAt.getTime());
  const minutes = (again.expiresAt.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(limits.reviewClaimMinutes - 1);
  await releaseReview(office.ctx(), office.as(bram), { id });
  await expect(office.claim(bram, id)).rejects.toEqual(refusal('claimed_by_other'));
  await releaseReview(office.ctx(), office.as(anna), { id });
  await office.claim(bram, id);
});

test('a claim whose time is over can be taken, and the member before can no longer decide', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  await expire(id);
  await office.claim(bram, id);
  await expect(office.decide(anna, id)).rejects.toEqual(refusal('claim_lost'));
  expect(await office.decide(bram, id, 'rejected')).toMatchObject({ state: 'reviewed' });
  expect((await office.read(id)).verdict.outcome).toBe('rejected');
});

test('a claim whose time is over while the member thinks is no right to decide, until it is taken again', async () => {
  const id = await office.inReview();
  await expect(office.decide(anna, id)).rejects.toEqual(refusal('claim_lost'));
  await office.claim(anna, id);
  await expire(id);
  await expect(office.decide(anna, id)).rejects.toEqual(refusal('claim_lost'));
  await office.claim(anna, id);
  expect(await office.decide(anna, id)).toMatchObject({ state: 'reviewed' });
});

test('of a member who decides and one who takes the expired claim at once, one decides', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await office.inReview();
    await office.claim(anna, id);
    await expire(id);
    await Promise.allSettled([office.review(anna, id, 'approved'), office.review(bram, id, 'rejected')]);
    const decisions = await harness.rows<{ outcome: string }>`
      select outcome from review_decisions where verification_id = ${id}`;
    expect(decisions).toHaveLength(1);
    expect((await office.read(id)).verdict).toMatchObject({ outcome: decisions[0]?.outcome, reviewed: true });
    expect(await office.events(id)).toHaveLength(2);
  }
});

test('two members who had the claim one after the other decide at once: the one who has it wins', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  await expire(id);
  await office.claim(bram, id);
  const [stale, held] = await Promise.allSettled([
    office.decide(anna, id, 'approved'),
    office.decide(bram, id, 'rejected'),
  ]);
  expect(stale.status).toBe('rejected');
  expect(held.status).toBe('fulfilled');
  expect((await office.read(id)).verdict.outcome).toBe('rejected');
});
