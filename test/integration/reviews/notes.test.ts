import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { notesOf } from '#services/reviews/notes.ts';
import { startHarness } from '#test/support/harness.ts';
import { eraseByOperator, exportByOperator } from '#test/support/people/as-operator.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

/** What a member writes for colleagues when deciding. */

const harness = await startHarness();
const office = await startOffice(harness);
beforeEach(() => harness.settings({ reviewEyes: 1 }, office.org));

const note = 'Called Liesbeth: the chip was read at the desk.';
const notes = (id: string) => notesOf(harness.ctx, office.as(anna), { id });
const stored = async (id: string) =>
  (
    await harness.rows<{
      note: Buffer | null;
    }>`select note from review_decisions where verification_id = ${id}`
  ).map((row) => row.note);

test('a note is sealed in its row, is nowhere else, and colleagues read it', async () => {
  const id = await office.inReview();
  await office.review(anna, id, 'rejected', `  ${note}\n`);
  expect(await notes(id)).toEqual([
    { decisionId: expect.any(String), memberId: anna.id, outcome: 'rejected', text: note },
  ]);
  expect(String((await stored(id))[0])).not.toContain('Liesbeth');
  await expect.poll(() => office.received(id)).toHaveLength(1);
  const told = [await office.read(id), office.received(id), await office.lines(id)];
  expect(JSON.stringify(told)).not.toMatch(/liesbeth|note/i);
});

test('a decision without a note has none, and one of blanks is none', async () => {
  const id = await office.inReview();
  await office.review(anna, id, 'approved', ' \n ');
  expect([await notes(id), await stored(id)]).toEqual([[], [null]]);
});

test('with four eyes nobody reads the note of the first before the second has decided', async () => {
  await harness.settings({ reviewEyes: 2 }, office.org);
  const id = await office.inReview();
  await office.review(anna, id, 'approved', 'first');
  expect(await notes(id)).toEqual([]);
  await office.review(bram, id, 'approved', 'second');
  expect((await notes(id)).map(({ text }) => text)).toEqual(['first', 'second']);
});

test('a note that is too long is refused, and nothing is decided', async () => {
  const id = await office.inReview();
  await expect(office.review(anna, id, 'approved', 'x'.repeat(501))).rejects.toThrow(
    refusal('note_too_long'),
  );
  expect(await stored(id)).toEqual([]);
  await office.review(anna, id, 'approved', 'x'.repeat(500));
  expect((await notes(id)).map(({ text }) => text.length)).toEqual([500]);
});

test('the export of a person has the note, and an erasure removes it for good', async () => {
  const id = await office.inReview();
  await office.review(anna, id, 'approved', note);
  const exported = await exportByOperator(harness.ctx, id);
  expect(exported.review_notes).toEqual([{ decision_id: expect.any(String), text: note }]);
  await eraseByOperator(harness.ctx, id);
  expect([await notes(id), await stored(id)]).toEqual([[], [null]]);
});

test('with the rights of the product a note can be removed, and never changed or added', async () => {
  const [noted, plain] = [await office.inReview(), await office.inReview()];
  await office.review(anna, noted, 'approved', note);
  await office.review(anna, plain, 'approved');
  const set = (id: string, value: Buffer | null) =>
    sql`update review_decisions set note = ${value} where verification_id = ${id}`.execute(
      harness.ctx.store.db,
    );
  for (const id of [noted, plain])
    await expect(set(id, Buffer.from('other'))).rejects.toMatchObject({ code: '42501' });
  await set(noted, null);
  expect(await stored(noted)).toEqual([null]);
});
