import { expect, test } from 'vitest';
import { inspectHistory } from '#services/inspection/history.ts';
import { startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { eventually, signatureBy, signaturesOf } from '#test/support/people/partner.ts';
import { runEnds } from '#test/support/rows/runs.ts';
import { anna, bram, reasonsFor, refusal, startOffice } from './support.ts';

/** A member decides about a verification whose run has ended. */

const harness = await startHarness();
const office = await startOffice(harness);

const faults = async () => {
  const found: unknown[] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => void found.push(fault));
  return found;
};

test('an approval replaces outcome, assurance and reasons, and sets reviewed, after the run has closed', async () => {
  const id = await office.inReview('document_liveness', { reference: 'order 7' });
  await runEnds(harness, id);
  const before = await office.read(id);
  expect(before.verdict).toMatchObject({ outcome: 'review', reviewed: false });
  expect(await office.review(anna, id)).toMatchObject({ state: 'reviewed' });
  expect(await office.read(id)).toEqual({
    ...before,
    verdict: {
      outcome: 'approved',
      assurance_level: 'substantial',
      reasons: [
        'A person examined the document and found it in order.',
        'A person compared the face with the document and found that they match.',
      ],
      reviewed: true,
    },
  });
  await runEnds(harness, id);
  const lines = await office.lines(id);
  expect(lines.map(({ type }) => type)).toEqual([
    ...['verification.created', 'review.claimed', 'verification.reviewed'],
  ]);
  expect(lines.at(-1)?.data).toMatchObject({
    actor: { kind: 'member', id: anna.id },
    verdict: { outcome: 'approved', reviewed: true, reasons: reasonsFor('approved') },
    decisions: [{ member_id: anna.id, outcome: 'approved', reasons: reasonsFor('approved') }],
  });
  expect(await faults()).toEqual([]);
});

test('the event arrives once and signed, with the new verdict and reviewed true', async () => {
  const id = await office.inReview('document_liveness', { reference: 'order 8' });
  await office.review(anna, id, 'rejected');
  await eventually(async () => office.received(id).length).toBe(1);
  const [event] = office.received(id);
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'verification.reviewed',
    created: expect.any(Number),
    environment: 'sandbox',
    data: {
      verification_id: id,
      reference: 'order 8',
      status: 'completed',
      outcome: 'rejected',
      assurance_level: 'low',
      reasons: ['A person found that the document does not seem genuine.'],
      reviewed: true,
    },
  });
  const delivery = office.receiver.received.find(({ body }) => String(body).includes(event.id));
  if (delivery === undefined) throw new Error('the event was received');
  expect(signaturesOf(delivery)).toEqual([signatureBy(office.endpoint.secret, delivery)]);
  expect(delivery.headers['x-service-event']).toBe('verification.reviewed');
  expect(await office.events(id)).toEqual([
    { type: 'verification.completed' },
    { type: 'verification.reviewed' },
  ]);
});

test('an agent reads the outcome and reviewed, the checks of the machine, and no reason', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  const { verdict } = await callTool(harness, office.key, 'get_verification', { verification_id: id });
  expect(verdict).toEqual({
    ...{ outcome: 'approved', assurance_level: 'substantial', reviewed: true },
    checks: expect.arrayContaining([{ kind: 'face_match', result: 'doubt', confidence: 0.55 }]),
  });
});

test.each([
  ['document_liveness', 'substantial'],
  ['document_only', 'low'],
  ['idin', 'substantial'],
] as const)('an approval of %s has the assurance %s', async (method, assurance_level) => {
  const id = await office.inReview(method);
  await office.claim(anna, id);
  await office.decide(anna, id, 'approved', reasonsFor('approved', method));
  expect((await office.read(id)).verdict).toMatchObject({ outcome: 'approved', assurance_level });
});

test('the same decision twice, one after the other or at once, is one decision', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  const [first, second] = await Promise.all([office.decide(anna, id), office.decide(anna, id)]);
  expect(second).toEqual(first);
  expect(await office.decide(anna, id)).toEqual(first);
  expect((await office.lineTypes(id)).filter((type) => type === 'verification.reviewed')).toHaveLength(1);
  expect(await office.events(id)).toHaveLength(2);
});

test('a member who decided cannot decide otherwise, and nobody reviews again', async () => {
  const id = await office.inReview();
  await office.review(anna, id);
  await expect(office.decide(anna, id, 'rejected')).rejects.toEqual(refusal('already_decided'));
  await expect(office.claim(bram, id)).rejects.toEqual(refusal('already_reviewed'));
  await expect(office.decide(bram, id)).rejects.toEqual(refusal('already_reviewed'));
  expect((await office.read(id)).verdict.outcome).toBe('approved');
});

test('reasons outside the catalogue, of the other outcome, of another method, double or none are refused', async () => {
  const id = await office.inReview('document_only');
  await office.claim(anna, id);
  const given: [outcome: 'approved' | 'rejected', reasons: string[]][] = [
    ['approved', []],
    ['approved', ['Jan looks fine']],
    ['approved', reasonsFor('rejected')],
    ['approved', reasonsFor('approved')],
    ['rejected', ['reviewer_finds_other_face']],
    ['rejected', ['reviewer_finds_expired', 'reviewer_finds_expired']],
    ['rejected', ['reviewer_cannot_assess']],
    ['rejected', ['all_checks_passed']],
  ];
  for (const [outcome, reasonIds] of given)
    await expect(office.decide(anna, id, outcome, reasonIds)).rejects.toEqual(refusal('reasons_do_not_fit'));
  const both = ['reviewer_finds_expired', 'reviewer_cannot_read'];
  expect(await office.decide(anna, id, 'rejected', both)).toMatchObject({ state: 'reviewed' });
  expect((await office.read(id)).verdict.reasons).toHaveLength(2);
});

test('an approval of a document with a face must confirm both', async () => {
  const id = await office.inReview();
  await office.claim(anna, id);
  const wanted = office.decide(anna, id, 'approved', ['reviewer_accepts_document']);
  await expect(wanted).rejects.toEqual(refusal('reasons_do_not_fit'));
});

test('what nobody has to decide is refused: open, approved, rejected', async () => {
  const { json: open } = await office.ask('POST', '/verifications', { sandbox: { auto_complete: false } });
  const ids = [open.id];
  for (const scenario of ['approved', 'rejected'])
    ids.push((await office.ask('POST', '/verifications', { sandbox: { scenario } })).json.id);
  for (const id of ids) {
    await expect(office.claim(anna, id)).rejects.toEqual(refusal('not_in_review'));
    await expect(office.decide(anna, id)).rejects.toEqual(refusal('not_in_review'));
    expect(await harness.rows`select from review_decisions where verification_id = ${id}`).toEqual([]);
  }
});
