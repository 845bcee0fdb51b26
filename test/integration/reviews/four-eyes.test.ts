import { expect, test } from 'vitest';
import { openMaterial } from '#services/reviews/material.ts';
import { listQueue } from '#services/reviews/queue.ts';
import { startHarness } from '#test/support/harness.ts';
import { eventually } from '#test/support/people/partner.ts';
import { anna, bram, cato, refusal, startOffice } from './support.ts';

/** Two members must agree. */

const harness = await startHarness();
const office = await startOffice(harness);
await harness.settings({ reviewEyes: 2 }, office.org);

const open = { outcome: 'review', reviewed: false };

test('the first decision changes nothing that anybody sees, and its line does not tell the choice', async () => {
  const id = await office.inReview();
  expect(await office.review(anna, id, 'rejected')).toMatchObject({ state: 'awaits_other' });
  expect((await office.read(id)).verdict).toMatchObject(open);
  expect(await office.events(id)).toEqual([{ type: 'verification.completed' }]);
  const line = (await office.lines(id)).at(-1);
  expect(line).toEqual({
    type: 'verification.assessed',
    data: { actor: { kind: 'member', id: anna.id }, decision_id: expect.any(String), number: 1 },
  });
  const queued = async (member: typeof anna) =>
    (await listQueue(office.ctx(), office.as(member), { limit: 100 })).data.find((row) => row.id === id);
  expect(await queued(anna)).toMatchObject({ decisions: 1, eyes: 2, decidedByMember: true, claim: null });
  const forBram = await queued(bram);
  expect(forBram).toMatchObject({ decisions: 1, decidedByMember: false });
  await office.claim(bram, id);
  const material = await openMaterial(office.ctx(), office.as(bram), { id });
  for (const shown of [forBram, { ...material, offered: null }, line])
    expect(JSON.stringify(shown)).not.toMatch(/rejected|reviewer_doubts_document/);
});

test('two who agree end the review, with the reasons of both and one event', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  await office.decide(anna, id, 'rejected', ['reviewer_finds_expired', 'reviewer_cannot_read']);
  await office.claim(bram, id);
  const given = ['reviewer_cannot_read', 'reviewer_finds_other_face'];
  expect(await office.decide(bram, id, 'rejected', given)).toMatchObject({ state: 'reviewed' });
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'rejected', reviewed: true });
  const last = (await office.lines(id)).at(-1);
  expect(last?.data).toMatchObject({
    actor: { kind: 'member', id: bram.id },
    decisions: [{ member_id: anna.id }, { member_id: bram.id }],
    verdict: { reasons: ['reviewer_finds_expired', 'reviewer_cannot_read', 'reviewer_finds_other_face'] },
  });
  expect(await office.events(id)).toHaveLength(2);
  await eventually(async () => office.received(id).length).toBe(1);
});

test('two who differ go to a third, without an event before, and the third decides', async () => {
  const id = await office.inReview();
  await office.review(anna, id, 'approved');
  expect(await office.review(bram, id, 'rejected')).toMatchObject({ state: 'awaits_other' });
  expect((await office.read(id)).verdict).toMatchObject(open);
  expect(await office.events(id)).toHaveLength(1);
  for (const member of [anna, bram])
    await expect(office.claim(member, id)).rejects.toEqual(refusal('already_decided'));
  expect(await office.review(cato, id, 'approved')).toMatchObject({ state: 'reviewed' });
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'approved', reviewed: true });
  expect((await office.lineTypes(id)).slice(1)).toEqual([
    ...['review.claimed', 'verification.assessed', 'review.claimed', 'verification.assessed'],
    ...['review.claimed', 'verification.reviewed'],
  ]);
  await expect(office.claim({ id: 'member-dora' }, id)).rejects.toEqual(refusal('already_reviewed'));
  expect(await office.events(id)).toHaveLength(2);
});

test('of two who want to be the second one is, and nobody is a third when they agree', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  const both = await Promise.allSettled([office.review(bram, id), office.review(cato, id)]);
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await harness.rows`select from review_decisions where verification_id = ${id}`).toHaveLength(2);
  expect(await office.events(id)).toHaveLength(2);
});

test('the same member cannot be both', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  await expect(office.claim(anna, id)).rejects.toEqual(refusal('already_decided'));
  await expect(office.decide(anna, id, 'rejected')).rejects.toEqual(refusal('already_decided'));
  expect(await office.decide(anna, id)).toMatchObject({ state: 'awaits_other' });
  expect((await office.read(id)).verdict).toMatchObject(open);
});

test('a review that has begun keeps its number of eyes', async () => {
  const begun = await startOffice(harness);
  await harness.settings({ reviewEyes: 2 }, begun.org);
  const [two, one] = [await begun.inReview(), await begun.inReview()];
  await begun.review(anna, two);
  await harness.settings({ reviewEyes: 1 }, begun.org);
  expect((await begun.read(two)).verdict).toMatchObject(open);
  expect(await begun.review(anna, one)).toMatchObject({ state: 'reviewed' });
  expect(await begun.review(bram, two)).toMatchObject({ state: 'reviewed' });
});

test('if the order of the first was lost, the order of the second carries both out in their order', async () => {
  const id = await office.inReview();
  expect(await office.storeOnly(anna, id)).toMatchObject({ state: 'stored' });
  expect(await office.review(bram, id)).toMatchObject({ state: 'reviewed' });
  const lines = (await office.lines(id)).slice(1);
  expect(lines.map(({ type, data }) => [type, data.actor])).toEqual([
    ['review.claimed', { kind: 'member', id: anna.id }],
    ['review.claimed', { kind: 'member', id: bram.id }],
    ['verification.assessed', { kind: 'member', id: anna.id }],
    ['verification.reviewed', { kind: 'member', id: bram.id }],
  ]);
  expect(await office.events(id)).toHaveLength(2);
});
