import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listQueue } from '#services/reviews/queue.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator } from '#test/support/people/as-operator.ts';
import { eventually } from '#test/support/people/partner.ts';
import { runStatus } from '#test/support/rows/runs.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

const harness = await startHarness();
const office = await startOffice(harness);
const erase = (id: string) => eraseByOperator(harness.ctx, id);

const decisionsOn = (id: string) =>
  harness.rows<{ recorded: boolean }>`
    select recorded_at is not null as recorded from review_decisions where verification_id = ${id}`;

test('an erased verification leaves the queue, loses its claim, and nobody decides about it', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  await erase(id);
  expect(await harness.rows`select from review_claims where verification_id = ${id}`).toEqual([]);
  const { data } = await listQueue(office.ctx(), office.as(anna), { limit: 100 });
  expect(data.map((row) => row.id)).not.toContain(id);
  await expect(office.decide(anna, id)).rejects.toEqual(refusal('erased'));
  await expect(office.claim(bram, id)).rejects.toEqual(refusal('erased'));
  expect(await decisionsOn(id)).toEqual([]);
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
});

test('of an erasure and a decision at once, either the decision came first and counts, or it is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const id = await office.inReview('document_liveness', { reference: `kanarie-${randomUUID()}` });
    await office.claim(anna, id);
    const [decided] = await Promise.allSettled([office.decide(anna, id), erase(id)]);
    const after = await office.read(id);
    expect(after.reference).toBeNull();
    const events = await office.events(id);
    if (decided.status === 'rejected') {
      expect(decided.reason).toEqual(refusal('erased'));
      expect(after.verdict).toMatchObject({ outcome: 'review', reviewed: false });
      expect(events).toHaveLength(1);
    } else {
      expect(after.verdict).toMatchObject({ outcome: 'approved', reviewed: true });
      expect(events).toHaveLength(2);
    }
    const bodies = await harness.rows<{ body: Buffer }>`
      select body from events where verification_id = ${id}`;
    for (const { body } of bodies) expect(JSON.parse(String(body)).data.reference).toBeNull();
  }
});

test('a decision that was stored before the erasure is carried out after it, with nothing of the person', async () => {
  const id = await office.inReview('document_liveness', { reference: 'kanarie-before' });
  expect(await office.storeOnly(anna, id, 'rejected')).toMatchObject({ state: 'stored' });
  await erase(id);
  expect(await decisionsOn(id)).toEqual([{ recorded: false }]);
  expect(await office.decide(anna, id, 'rejected')).toMatchObject({ state: 'reviewed' });
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'rejected', reviewed: true });
  await eventually(async () => office.received(id).length).toBe(1);
  expect(office.received(id)[0]?.data.reference).toBeNull();
  await expect.poll(() => runStatus(harness, id)).toBe('COMPLETED');
});
