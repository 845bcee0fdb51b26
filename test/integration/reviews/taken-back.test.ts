import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createReviewSweep } from '#services/reviews/restart.ts';
import { heldFor, takeBackDecision } from '#services/reviews/take-back.ts';
import { startHarness } from '#test/support/harness.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

/** A decision waits for a while before it is carried out. So long, its member can take it back. */

const harness = await startHarness();
const office = await startOffice(harness);
const held = (ms: number) => {
  harness.ctx.reviewHeldMs = ms;
};
beforeEach(() => held(3_000));

const takeBack = (member: { id: string }, id: string) =>
  takeBackDecision(office.ctx(), office.as(member), { id });
const heldOf = (member: { id: string }, id: string) => heldFor(office.ctx(), office.as(member), { id });
const leftMs = async (member: { id: string }, id: string) => (await heldOf(member, id))?.leftMs ?? 0;
const verdictOf = async (id: string) => (await office.read(id)).verdict;
const reviewed = { outcome: 'approved', reviewed: true };

test('a decision is carried out when its time is over, once, and not before', async () => {
  const id = await office.inReview();
  expect((await office.review(anna, id)).state).toBe('held');
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });
  expect(await leftMs(anna, id)).toBeGreaterThan(1_000);
  expect(await leftMs(bram, id)).toBe(0);
  await expect.poll(() => verdictOf(id), { timeout: 20_000 }).toMatchObject(reviewed);
  expect(await leftMs(anna, id)).toBe(0);
  await expect.poll(() => office.received(id)).toHaveLength(1);
  expect((await office.lineTypes(id)).filter((type) => type === 'verification.reviewed')).toHaveLength(1);
});

test('what was taken back never counts: the member has it again, and decides otherwise', async () => {
  const id = await office.inReview();
  await office.review(anna, id, 'rejected');
  await takeBack(anna, id);
  await expect(takeBack(anna, id)).rejects.toThrow(refusal('too_late'));
  await sleep(4_000);
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });
  expect(office.received(id)).toEqual([]);
  held(0);
  expect((await office.decide(anna, id)).state).toBe('reviewed');
  expect(await verdictOf(id)).toMatchObject(reviewed);
  expect(await office.lineTypes(id)).toEqual([
    'verification.created',
    ...['review.claimed', 'review.taken_back'],
    'verification.reviewed',
  ]);
});

test('too late is too late: after it was carried out, and for somebody else', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  await expect(takeBack(bram, id)).rejects.toThrow(refusal('too_late'));
  await expect.poll(() => verdictOf(id), { timeout: 20_000 }).toMatchObject(reviewed);
  await expect(takeBack(anna, id)).rejects.toThrow(refusal('too_late'));
  expect(await verdictOf(id)).toMatchObject(reviewed);
});

test('with the rights of the product, a decision that is due cannot be removed from the database', async () => {
  held(60_000);
  const waiting = await office.inReview();
  await office.review(anna, waiting);
  held(0);
  const done = await office.inReview();
  await office.review(anna, done);
  const remove = (id: string) =>
    sql`delete from review_decisions where verification_id = ${id}`.execute(harness.ctx.store.db);
  await expect(remove(done)).rejects.toMatchObject({ code: '42501' });
  await harness.rows`update review_decisions set due_at = now() where verification_id = ${waiting}`;
  await expect(remove(waiting)).rejects.toMatchObject({ code: '42501' });
});

test('of many who take the same decision back at once, one does', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => takeBack(anna, id)));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('with four eyes the first stands once the second has decided, and both are carried out in their order', async () => {
  await harness.settings({ reviewEyes: 2 }, office.org);
  const id = await office.inReview();
  await office.review(anna, id);
  await office.review(bram, id);
  await expect(takeBack(anna, id)).rejects.toThrow(refusal('too_late'));
  await expect.poll(() => verdictOf(id), { timeout: 20_000 }).toMatchObject(reviewed);
  const types = (await office.lineTypes(id)).filter((type) => type.startsWith('verification.'));
  expect(types.slice(-2)).toEqual(['verification.assessed', 'verification.reviewed']);
  await harness.settings({ reviewEyes: 1 }, office.org);
});

test('a decision whose order was lost is left alone by the sweep until it is due, and then carried out', async () => {
  const id = await office.inReview();
  await office.storeOnly(anna, id);
  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + 3_600_000) };
  const sweep = () => createReviewSweep({ ...harness.ctx, clock })(new AbortController().signal);
  await sweep();
  expect(await verdictOf(id)).toMatchObject({ outcome: 'review', reviewed: false });
  await sleep(await leftMs(anna, id));
  await sweep();
  await expect.poll(() => verdictOf(id), { timeout: 20_000 }).toMatchObject(reviewed);
});
