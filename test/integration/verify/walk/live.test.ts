import { expect, test, vi } from 'vitest';
import type { EvidenceKind, Method } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { consentVersion } from '#services/flow/consent.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { signatureBy, signaturesOf } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { storedOf } from '../stored.ts';

// The real reader reads the documents, which takes seconds, and longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
const harness = await startHarness();
const stored = storedOf(harness);
const { key } = await harness.key({ environment: 'live' });
const receiver = await startReceiver({ status: 200 });
const { secret } = (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } })).json;

const created = async (method: Method) =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { method, reference: method } })).json;
const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
type Pictures = Partial<Record<EvidenceKind, Buffer>>;
const finished = async (method: Method, kinds: EvidenceKind[], pictures: Pictures = {}) => {
  const { id, verify_url } = await created(method);
  const user = person(harness, verify_url);
  await user.start();
  for (const kind of kinds) await user.upload(kind, pictures[kind] ?? (await anyPicture()));
  if (kinds.includes('selfie')) await user.noMovements();
  expect((await user.submit()).text).toContain('Thank you');
  await expect.poll(async () => (await read(id)).status, { timeout: 120_000 }).toBe('completed');
  return { id, user };
};

test('an end user who finishes the flow completes the verification: verdict set, event sent', async () => {
  covers('3/person-completes', '3/person-verdict', '3/person-event', '1/live-completed-by-end-user-only');
  const { id } = await finished('document_only', ['passport_page']);
  const { verdict } = await read(id);
  expect(verdict).toMatchObject({ outcome: 'review', assurance_level: 'low', reviewed: false });
  expect(verdict.reasons).not.toEqual([]);

  const [sent] = await receiver.waitFor(1);
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    type: 'verification.completed',
    environment: 'live',
    data: {
      verification_id: id,
      reference: 'document_only',
      status: 'completed',
      outcome: 'review',
      assurance_level: 'low',
      reasons: verdict.reasons,
    },
  });
});

test('with a face as well, faces that nobody can find are in doubt: a person makes the final assessment', async () => {
  covers('1/face-comparison-indicative', '1/no-biometric-proof');
  const { id } = await finished('document_liveness', ['card_front', 'card_back', 'selfie']);
  const { verdict } = await read(id);
  expect(verdict).toMatchObject({ outcome: 'review', assurance_level: 'low', reviewed: false });
  expect(verdict.reasons.join(' ')).toContain('a person makes the final assessment');
  const { json } = await call(harness, 'POST', '/mcp', {
    key,
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_verification', arguments: { verification_id: id } },
    },
  });
  const { checks } = json.result.structuredContent.verdict;
  expect(checks.map(({ kind }: { kind: string }) => kind)).toEqual([
    'document_integrity',
    'document_expiry',
    'mrz_check_digits',
    'data_consistency',
    'face_match',
    'liveness',
  ]);
  expect(checks.slice(-2)).toEqual([
    { kind: 'face_match', result: 'doubt', confidence: 0 },
    { kind: 'liveness', result: 'doubt', confidence: 0 },
  ]);
});

const checksOf = async (id: string) => {
  const [row] = await harness.rows<{ verdict: { checks: Check[] } }>`
    select verdict from verifications where id = ${id}`;
  return row?.verdict.checks.map(({ kind, result }) => [kind, result]);
};

const passedForCertain = [
  ['document_integrity', 'not_applicable'],
  ['document_expiry', 'passed'],
  ['mrz_check_digits', 'passed'],
  ['data_consistency', 'passed'],
];

const validPassport = async () => {
  const expiry = new Date(Date.now() + 1_000 * 86_400_000).toISOString().slice(0, 10);
  const { front } = drawn({ format: 'TD3', person: { ...eriksson, expiry } });
  return { passport_page: await photograph(front, { turn: 3 }) };
};

test('a passport that is read and holds goes to a person, with what passed and what nobody examined', async () => {
  const { id } = await finished('document_only', ['passport_page'], await validPassport());
  expect(await checksOf(id)).toEqual(passedForCertain);
  expect((await read(id)).verdict).toMatchObject({
    outcome: 'review',
    reasons: ['The document was not examined for genuineness; a person makes the final assessment.'],
  });
});

test('only if the organisation lets a machine decide, a document whose data hold is approved, with low assurance', async () => {
  await harness.settings({ decisions: 'machine_may_decide' });
  const { id } = await finished('document_only', ['passport_page'], await validPassport());
  await harness.settings({ decisions: 'people' });
  expect(await checksOf(id)).toEqual(passedForCertain);
  expect((await read(id)).verdict).toEqual({
    outcome: 'approved',
    assurance_level: 'low',
    reasons: ["The document's data passed all checks; the document was not examined for genuineness."],
    reviewed: false,
  });

  const sent = await vi.waitFor(() => {
    const found = receiver.received.find(({ body }) => String(body).includes(id));
    if (found === undefined) throw new Error('the event has not arrived');
    return found;
  }, 20_000);
  expect(signaturesOf(sent)).toEqual([signatureBy(secret, sent)]);
  expect(JSON.parse(String(sent.body))).toMatchObject({
    type: 'verification.completed',
    environment: 'live',
    data: { verification_id: id, status: 'completed', outcome: 'approved', assurance_level: 'low' },
  });
});

test('with a face, a person decides although the machine may', async () => {
  await harness.settings({ decisions: 'machine_may_decide' });
  const passport = await validPassport();
  const { id } = await finished('document_liveness', ['passport_page', 'selfie'], passport);
  await harness.settings({ decisions: 'people' });
  expect((await read(id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
});

test('if a machine may reject, a card that has expired is rejected for that', async () => {
  await harness.settings({ decisions: 'machine_may_reject' });
  const expired = { ...eriksson, expiry: '2012-04-15' };
  const { front, back } = drawn({ format: 'TD1', person: expired });
  const { id } = await finished('document_only', ['card_front', 'card_back'], {
    card_front: await photograph(front),
    ...(back && { card_back: await photograph(back) }),
  });
  await harness.settings({ decisions: 'people' });
  expect((await read(id)).verdict).toMatchObject({
    outcome: 'rejected',
    assurance_level: 'low',
    reasons: ['The document has expired.'],
    reviewed: false,
  });
});

test.each([
  ['the print has the year 9999', 'NIEMANDSZOON', '9999-01-01', 'passed'],
  ['the print has two digits of the year', 'ERIKSSON', '9999-01-01', 'doubt'],
  ['the print has a year far ahead', 'NIEMANDSZOON', '2099-06-01', 'passed'],
])(
  'if a machine may reject, a card without end of validity is not rejected: %s',
  async (_, surname, lastDay, expiry) => {
    await harness.settings({ decisions: 'machine_may_reject' });
    const endless = { ...eriksson, surname, expiry: lastDay };
    const { front, back } = drawn({ format: 'TD1', person: endless });
    const { id } = await finished('document_only', ['card_front', 'card_back'], {
      card_front: await photograph(front),
      ...(back && { card_back: await photograph(back) }),
    });
    await harness.settings({ decisions: 'people' });
    expect((await read(id)).verdict).toMatchObject({ outcome: 'review', reviewed: false });
    expect(await checksOf(id)).toContainEqual(['document_expiry', expiry]);
    expect(await checksOf(id)).toContainEqual(['mrz_check_digits', 'passed']);
  },
);

test('no API call completes a live verification, at any point of the flow', async () => {
  covers('1/live-completed-by-end-user-only');
  const { id, verify_url } = await created('document_only');
  const complete = () => call(harness, 'POST', `/v1/verifications/${id}/complete`, { key });
  expect((await complete()).status).toBe(403);
  const user = person(harness, verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  expect((await complete()).status).toBe(403);
  expect((await read(id)).status).toBe('in_progress');
});

test('in live there are no specimens, and nobody stands in for the bank', async () => {
  const document = await created('document_only');
  const user = person(harness, document.verify_url);
  await user.start();
  expect((await user.take('passport_page')).text).not.toContain('specimen');
  const path = `${user.path}/specimen?kind=passport_page`;
  expect((await call(harness, 'POST', path)).status).toBe(404);

  // Such a verification was created before the method was refused.
  const { id, verify_url } = await created('document_only');
  await harness.rows`update verifications set method = 'idin' where id = ${id}`;
  const bank = person(harness, verify_url);
  expect((await bank.look()).text).toContain('cannot identify you through your bank yet');
  expect((await call(harness, 'POST', `${bank.path}/specimen?kind=bank`)).status).toBe(404);
});

test('evidence is kept sealed, and the ledger names it by its hash', async () => {
  const { id } = await finished('document_only', ['passport_page']);
  await untilMasked(harness.rows, id);
  const [row] = await stored.evidence(id);
  expect(row?.picture?.includes(Buffer.from('JFIF'))).toBe(false);
  const dataKey = await dataKeyOf(harness.rows, harness.ctx.secrets, id);
  const opened = dataKey.open(`evidence/${id}/masked_front`, row?.picture as Buffer);
  expect(opened.subarray(0, 3).toString('hex')).toBe('ffd8ff');

  const ledger = await harness.rows`
    select type, data from ledger where subject_id = ${id} order by sequence`;
  expect(ledger.map(({ type }) => type)).toEqual([
    'verification.created',
    'verification.started',
    'verification.submitted',
    'verification.completed',
    'evidence.masked',
  ]);
  expect(ledger[1]?.data).toMatchObject({
    consent: { version: consentVersion, language: 'en', agreed: ['document'] },
  });
  expect(ledger[2]?.data).toMatchObject({
    evidence: [{ kind: 'passport_page', sha256: expect.stringMatching(/^[\da-f]{64}$/) }],
  });
  expect(ledger[3]?.data).toMatchObject({ from: 'in_progress', trigger: 'completed_by_person' });
  expect(ledger[4]?.data).toMatchObject({
    copies: [{ kind: 'masked_front', sha256: row?.sha256?.toString('hex') }],
  });
});
