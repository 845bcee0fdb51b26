import { expect, test } from 'vitest';
import { IncomeCheck } from '#contract/income/check.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { eventually, startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness();
const partner = await startPartner(harness, { endpoint: { event_types: ['income_check.completed'] } });
const { key } = partner;

const create = (body?: unknown, headers?: Record<string, string>) =>
  call(harness, 'POST', '/v1/income-checks', { key, body, ...(headers && { headers }) });

const demonstrated = {
  currency: 'EUR',
  employer_name: 'Voorbeeld B.V.',
  ...{ period_start: '2026-10-01', period_end: '2026-10-31', pay_frequency: 'monthly' },
  ...{ gross_cents: 345_000, net_cents: 271_450, annual_gross_estimate_cents: 4_471_200 },
};

test.each([
  ['approved', undefined, 'passed', 0.99, 'All checks passed.'],
  [
    'review',
    'arithmetic',
    'doubt',
    0.55,
    'The amounts on the documents are in doubt; a person makes the final assessment.',
  ],
  ['rejected', 'revision_history', 'failed', 0.97, 'A document was changed after it was made.'],
])(
  'in sandbox it completes at once as %s, with its checks and always the same result',
  async (scenario, ...said) => {
    covers('4.1/income-check-create');
    const [exception, result, confidence, reason] = said;
    const { status, json } = await create({ reference: 'tenant', sandbox: { scenario } });
    expect(status).toBe(201);
    expect(IncomeCheck.parse(json)).toMatchObject({
      ...{ object: 'income_check', status: 'completed', environment: 'sandbox', reference: 'tenant' },
      ...{ verification_id: null, result: demonstrated },
    });
    expect(json.verdict).toMatchObject({ outcome: scenario, reasons: [reason], reviewed: false });
    const [document] = json.documents;
    expect(document).toMatchObject({ object: 'income_document', type: 'payslip', pages: 1 });
    for (const check of json.verdict.checks)
      expect(check).toMatchObject(
        check.kind === exception ? { result, confidence } : { result: 'passed', confidence: 0.99 },
      );
    const about = json.verdict.checks.map((check: { document_id: string | null }) => check.document_id);
    expect(new Set(about)).toEqual(new Set([document.id, null]));
  },
);

test('without a body it asks for nothing in particular, and what stays pending has its link and no result', async () => {
  expect((await create()).json).toMatchObject({ status: 'completed', reference: null });
  const { json } = await create({ document_types: ['payslip'], sandbox: { auto_complete: false } });
  expect(json).toMatchObject({ status: 'pending', documents: [], result: null, verdict: null });
  expect(json.upload_url).toMatch(/\/verify\/[\w-]{64}$/);
  expect(json.dossier_ref).toMatch(/^dos_/);
});

test('a repetition with the same key gives the same bytes and starts nothing new', async () => {
  const first = await create({ reference: 'again' }, { 'idempotency-key': 'again' });
  const second = await create({ reference: 'again' }, { 'idempotency-key': 'again' });
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect((await create({ reference: 'other' }, { 'idempotency-key': 'again' })).json.error.code).toBe(
    'idempotency_key_reused',
  );
});

test('the key of a create of a verification cannot name an income check too', async () => {
  const headers = { 'idempotency-key': 'of a verification' };
  await call(harness, 'POST', '/v1/verifications', { key, headers });
  expect((await create(undefined, headers)).json.error.code).toBe('idempotency_key_reused');
});

test('it may name a verification of the same person', async () => {
  const verification = (await call(harness, 'POST', '/v1/verifications', { key })).json;
  expect((await create({ verification_id: verification.id })).json.verification_id).toBe(verification.id);
});

test('whoever subscribed gets an event without amounts and names, and nobody gets one of a verification', async () => {
  const { json } = await create({ reference: 'with event', sandbox: { scenario: 'review' } });
  const isAboutIt = ({ body }: { body: Buffer }) => String(body).includes(json.id);
  await eventually(async () => partner.receiver.received.some(isAboutIt)).toBe(true);
  const bodies = partner.receiver.received.map(({ body }) => JSON.parse(String(body)));
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['income_check.completed']));
  const event = bodies.find(({ data }) => data.income_check_id === json.id);
  expect(event).toMatchObject({
    type: 'income_check.completed',
    environment: 'sandbox',
    data: {
      income_check_id: json.id,
      reference: 'with event',
      status: 'completed',
      outcome: 'review',
      reasons: json.verdict.reasons,
    },
  });
  expect(Object.keys(event.data)).toHaveLength(5);
});
