import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { releaseReview } from '#services/reviews/claim.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { doubtful } from '#test/integration/dossiers/support.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anna, bram, refusal, startOffice } from './support.ts';

const harness = await startHarness({ documents: doubtful });
const office = await startOffice(harness, { environment: 'live' });

const look = (id: string, member = anna) => openMaterial(office.ctx(), office.as(member), { id });
const looks = async (id: string) => (await office.lines(id)).filter(({ type }) => type === 'evidence.viewed');

test('the member who has the claim sees the pictures and the checks, and each look is a line', async () => {
  const id = await office.walked();
  await office.claim(anna, id);
  const { pictures, checks, basis, offered, reasonIds } = await look(id);
  const stored = await harness.rows<{ kind: string; sha256: Buffer }>`
    select kind, sha256 from evidence where verification_id = ${id} order by kind`;
  expect(stored.length).toBeGreaterThanOrEqual(2);
  expect(pictures.map(({ kind }) => kind)).toEqual(stored.map(({ kind }) => kind));
  for (const { kind, jpeg } of pictures)
    expect(
      createHash('sha256')
        .update(jpeg ?? '')
        .digest(),
    ).toEqual(stored.find((each) => each.kind === kind)?.sha256);
  expect(checks.map(({ kind }) => kind)).toContain('document_expiry');
  expect(reasonIds).toContain('face_comparison_in_doubt');
  expect({ basis, approved: offered.approved }).toEqual({
    basis: 'evidence',
    approved: ['reviewer_accepts_document', 'reviewer_accepts_likeness'],
  });
  await look(id);
  const data = { kinds: stored.map(({ kind }) => kind), actor: { kind: 'member', id: anna.id } };
  expect((await looks(id)).map((line) => line.data)).toEqual([data, data]);
});

test('who does not have the claim, or has it no longer, sees nothing and leaves no line', async () => {
  const id = await office.walked();
  await expect(look(id)).rejects.toEqual(refusal('claim_lost'));
  await office.claim(anna, id);
  await expect(look(id, bram)).rejects.toEqual(refusal('claim_lost'));
  await harness.rows`
    update review_claims set expires_at = now() - interval '1 second' where verification_id = ${id}`;
  await expect(look(id)).rejects.toEqual(refusal('claim_lost'));
  expect(await looks(id)).toEqual([]);
});

test('after the decision nobody looks any more, and the pictures are due to be deleted', async () => {
  const id = await office.walked();
  await office.review(anna, id);
  await expect(look(id)).rejects.toEqual(refusal('already_reviewed'));
  const kept = await harness.rows`
    select from evidence where verification_id = ${id} and expires_at > now()`;
  expect(kept).toEqual([]);
  expect((await office.read(id)).verdict).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial', reviewed: true },
  });
});

test('where the pictures are gone, only that is offered, as a rejection', async () => {
  const id = await office.walked();
  await harness.rows`delete from evidence where verification_id = ${id}`;
  await office.claim(anna, id);
  expect(await look(id)).toMatchObject({
    ...{ basis: 'gone', pictures: [], picturesEndAt: null },
    offered: { approved: [], rejected: ['reviewer_cannot_assess'] },
  });
  expect(await looks(id)).toEqual([]);
  for (const outcome of ['approved', 'rejected'] as const)
    await expect(office.decide(anna, id, outcome)).rejects.toEqual(refusal('reasons_do_not_fit'));
  await office.decide(anna, id, 'rejected', ['reviewer_cannot_assess']);
  expect((await office.read(id)).verdict).toMatchObject({
    outcome: 'rejected',
    reasons: [
      'The pictures are no longer kept, so nobody can assess them; this says nothing about the end user.',
    ],
  });
});

test('who has not looked since the claim decides nothing, whatever others saw', async () => {
  const id = await office.walked();
  await office.claim(bram, id);
  await look(id, bram);
  await releaseReview(office.ctx(), office.as(bram), { id });
  const decides = () =>
    Promise.allSettled(
      (['approved', 'rejected'] as const).map((outcome) => office.decide(anna, id, outcome)),
    );
  const notLooked = { status: 'rejected', reason: refusal('not_looked') };
  await office.claim(anna, id);
  expect(await decides()).toEqual([notLooked, notLooked]);
  await look(id);
  await releaseReview(office.ctx(), office.as(anna), { id });
  await office.claim(anna, id);
  expect(await decides()).toEqual([notLooked, notLooked]);
  expect(await harness.rows`select from review_decisions where verification_id = ${id}`).toEqual([]);
  await look(id);
  expect(await office.decide(anna, id)).toMatchObject({ state: 'reviewed' });
});

test('where only the photo of the face is left, nobody approves, and the document is no reason', async () => {
  const id = await office.walked();
  await harness.rows`delete from evidence where verification_id = ${id} and kind <> 'selfie'`;
  await office.claim(anna, id);
  expect(await look(id)).toMatchObject({
    ...{ basis: 'evidence', pictures: [{ kind: 'selfie' }] },
    offered: { approved: [], rejected: ['reviewer_doubts_face', 'reviewer_cannot_assess'] },
  });
  for (const outcome of ['approved', 'rejected'] as const)
    await expect(office.decide(anna, id, outcome)).rejects.toEqual(refusal('reasons_do_not_fit'));
  await office.decide(anna, id, 'rejected', ['reviewer_cannot_assess']);
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'rejected', reviewed: true });
});

test('who asked for another way is identified outside the flow', async () => {
  await harness.settings({ offersOtherWay: true }, office.org);
  const { json } = await office.ask('POST', '/verifications', { method: 'document_liveness' });
  await person(harness, json.verify_url).decline();
  await office.claim(anna, json.id);
  expect(await look(json.id)).toMatchObject({ basis: 'other_way', pictures: [] });
  await office.decide(anna, json.id, 'approved', ['reviewer_identified_other_way']);
  expect((await office.read(json.id)).verdict.reasons).toEqual([
    'The end user was identified in another way.',
  ]);
});

test('sandbox shows what was handed in without pictures, and no line', async () => {
  const sandbox = await startOffice(harness);
  const { json } = await sandbox.ask('POST', '/verifications', {
    ...{ method: 'document_only', sandbox: { auto_complete: false, scenario: 'review' } },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.specimen('passport_page');
  await user.submit();
  const status = async () =>
    (await call(harness, 'GET', `/v1/verifications/${json.id}`, { key: sandbox.key })).json.status;
  await expect.poll(status).toBe('completed');
  await sandbox.claim(anna, json.id);
  expect(await openMaterial(sandbox.ctx(), sandbox.as(anna), { id: json.id })).toMatchObject({
    ...{ basis: 'evidence', pictures: [{ kind: 'passport_page', jpeg: null }] },
  });
  expect(await sandbox.lineTypes(json.id)).not.toContain('evidence.viewed');
});
