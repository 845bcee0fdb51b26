import { expect, test } from 'vitest';
import { listQueue, queueThroughput } from '#services/reviews/queue.ts';
import { reopenForReview } from '#services/reviews/reopen.ts';
import { doubtful } from '#test/integration/dossiers/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

const harness = await startHarness({ documents: doubtful });

const idsOf = async (office: Awaited<ReturnType<typeof startOffice>>, member = anna) =>
  (await listQueue(office.ctx(), office.as(member), { limit: 100 })).data.map(({ id }) => id);

test('the queue has what waits for a person, the oldest first, page by page', async () => {
  const office = await startOffice(harness);
  const ids = [
    await office.inReview('idin'),
    await office.inReview(),
    await office.inReview('document_only'),
  ];
  await office.ask('POST', '/verifications', { sandbox: { scenario: 'approved' } });
  await office.ask('POST', '/verifications', { sandbox: { auto_complete: false } });
  expect(await idsOf(office)).toEqual(ids);
  const first = await listQueue(office.ctx(), office.as(anna), { limit: 2 });
  expect(first).toMatchObject({ has_more: true, next_starting_after: ids[1] });
  // A row that left the queue meanwhile still is a place in it.
  await office.review(anna, ids[1] ?? '');
  const second = await listQueue(office.ctx(), office.as(anna), { limit: 2, startingAfter: ids[1] });
  expect(second.data.map(({ id }) => id)).toEqual([ids[2]]);
  expect(second.has_more).toBe(false);
  const wrong = listQueue(office.ctx(), office.as(anna), { limit: 2, startingAfter: 'nonsense' });
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_cursor' });
});

test('a row says how long it waits, how long evidence stays, and who has it until when', async () => {
  const office = await startOffice(harness, { environment: 'live' });
  const id = await office.walked({ reference: 'order 9' });
  const { expiresAt } = await office.claim(anna, id);
  const [row] = (await listQueue(office.ctx(), office.as(bram), { limit: 5 })).data;
  expect(row).toMatchObject({
    ...{ id, method: 'document_liveness', reference: 'order 9', outcome: 'review' },
    claim: { memberId: anna.id, expiresAt },
    ...{ decisions: 0, eyes: 1, decidedByMember: false },
  });
  expect(row?.waitedMs).toBeLessThan(60_000);
  const days = Number(row?.evidenceLeftMs) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30);
});

test('another organisation and the other environment see nothing of the queue, and can do nothing in it', async () => {
  const office = await startOffice(harness);
  const id = await office.inReview();
  const other = await startOffice(harness);
  expect(await idsOf(other)).toEqual([]);
  const live = asOwner(anna, office.organisationId, 'live');
  expect((await listQueue(office.ctx(), live, { limit: 5 })).data).toEqual([]);
  await office.claim(anna, id);
  const unknown = { code: 'verification_not_found' };
  await expect(other.claim(anna, id)).rejects.toMatchObject(unknown);
  await expect(other.decide(anna, id)).rejects.toMatchObject(unknown);
  await expect(reopenForReview(other.ctx(), other.as(anna), { id })).rejects.toMatchObject(unknown);
  const outside = await listQueue(other.ctx(), other.as(anna), { limit: 5, startingAfter: id }).catch(
    (e) => e,
  );
  expect(outside).toMatchObject({ code: 'invalid_cursor' });
  expect((await office.read(id)).verdict.reviewed).toBe(false);
  expect(await harness.rows`select from review_decisions where verification_id = ${id}`).toEqual([]);
});

test('the throughput counts what was decided, and how long it waited', async () => {
  const office = await startOffice(harness);
  expect(await queueThroughput(office.ctx(), office.as(anna))).toEqual({
    ...{ waiting: 0, oldestWaitedMs: null, decidedLastDay: 0, decidedLastWeek: 0, medianWaitMs: null },
  });
  const ids = [await office.inReview(), await office.inReview(), await office.inReview()];
  for (const id of ids.slice(0, 2)) await office.review(anna, id);
  const [before] = ids;
  await harness.rows`
    update review_decisions set queued_at = created_at - interval '3 days', created_at = created_at - interval '2 days',
      claimed_at = claimed_at - interval '2 days'
    where verification_id = ${before}`;
  const found = await queueThroughput(office.ctx(), office.as(anna));
  expect(found).toMatchObject({ waiting: 1, decidedLastDay: 1, decidedLastWeek: 2 });
  expect(Number(found.medianWaitMs) / 3_600_000).toBeCloseTo(12, 0);
  expect(found.oldestWaitedMs).toBeLessThan(60_000);
});

test('a rejection by a machine can be reopened once, and a person replaces it', async () => {
  const office = await startOffice(harness);
  const { json } = await office.ask('POST', '/verifications', { sandbox: { scenario: 'rejected' } });
  await reopenForReview(office.ctx(), office.as(anna), { id: json.id });
  await reopenForReview(office.ctx(), office.as(anna), { id: json.id });
  expect(await idsOf(office)).toEqual([json.id]);
  expect((await office.read(json.id)).verdict).toMatchObject({ outcome: 'rejected', reviewed: false });
  await office.review(bram, json.id);
  expect((await office.read(json.id)).verdict).toMatchObject({ outcome: 'approved', reviewed: true });
  expect(await office.lineTypes(json.id)).toEqual([
    ...['verification.created', 'verification.reopened', 'review.claimed', 'verification.reviewed'],
  ]);
  await expect(reopenForReview(office.ctx(), office.as(anna), { id: json.id })).rejects.toEqual(
    refusal('already_reviewed'),
  );
  const { json: approved } = await office.ask('POST', '/verifications', {});
  await expect(reopenForReview(office.ctx(), office.as(anna), { id: approved.id })).rejects.toEqual(
    refusal('not_rejected'),
  );
});
