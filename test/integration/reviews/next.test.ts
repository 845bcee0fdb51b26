import { expect, test } from 'vitest';
import { claimNext } from '#services/reviews/next.ts';
import { listQueue } from '#services/reviews/queue.ts';
import { doubtful } from '#test/integration/dossiers/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { anna, bram, leaveOriginal, startOffice } from './support.ts';

const harness = await startHarness({ documents: doubtful });

/** An office with so many verifications in its queue, oldest first. */
async function queued(count: number) {
  const office = await startOffice(harness);
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.push(await office.inReview());
  const next = (member: { id: string }) => claimNext(office.ctx(), office.as(member));
  return { office, ids, next };
}

test('who asks for the next one gets the oldest that nobody has, and their own until they decided it', async () => {
  const { office, ids, next } = await queued(3);
  expect([await next(anna), await next(anna)]).toEqual([ids[0], ids[0]]);
  expect(await next(bram)).toBe(ids[1]);
  await office.review(anna, ids[0] ?? '');
  expect(await next(anna)).toBe(ids[2]);
  await office.review(anna, ids[2] ?? '', 'rejected');
  expect(await next(anna)).toBeUndefined();
});

test('of many who ask at the same time, each gets another one', async () => {
  const { ids, next } = await queued(4);
  const members = ids.map((_, place) => ({ id: `member-${place}` }));
  const given = await Promise.all(members.map(next));
  expect(new Set(given.filter((id) => id !== undefined)).size).toBe(
    given.filter((id) => id !== undefined).length,
  );
  for (const [place, member] of members.entries())
    if (given[place] === undefined) given[place] = await next(member);
  expect(given.toSorted()).toEqual(ids.toSorted());
});

test('with four eyes, nobody gets the one that they have decided', async () => {
  const { office, ids, next } = await queued(1);
  await harness.settings({ reviewEyes: 2 }, office.org);
  expect(await next(anna)).toBe(ids[0]);
  await office.review(anna, ids[0] ?? '');
  expect(await next(anna)).toBeUndefined();
  expect(await next(bram)).toBe(ids[0]);
});

test('one whose copy is still being made is left for later', async () => {
  const office = await startOffice(harness, { environment: 'live' });
  const id = await office.walked();
  const mask = await leaveOriginal(harness, id);
  const next = () => claimNext(office.ctx(), office.as(anna));
  const isCopyDue = async () =>
    (await listQueue(office.ctx(), office.as(anna), { limit: 5 })).data.map((row) => row.isCopyDue);
  expect([await isCopyDue(), await next()]).toEqual([[true], undefined]);
  await mask();
  expect([await isCopyDue(), await next()]).toEqual([[false], id]);
});
