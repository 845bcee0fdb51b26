import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { IncomeCheck } from '#contract/income/check.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { recordVerification } from '#services/recording/record.ts';
import { resultOf, startIncomeCases } from '#test/integration/checks/income-cases.ts';
import { startOffice } from '#test/integration/dossiers/support.ts';
import { call } from '#test/support/harness.ts';
import { layouts, slipOf } from '#test/support/specimens/income/small/paper.ts';

const { harness, partner, completed } = await startIncomeCases();
const { key } = partner;
const [layout = '', other = ''] = Object.keys(layouts);
const [slip, second] = [await slipOf(layout), await slipOf(other)];

const documentOf = (pdf: Buffer) => ({
  ...{ filename: 'Salaris J.M. van der Berg.pdf', content_type: 'application/pdf' },
  content_base64: pdf.toString('base64'),
});
const create = (body: object, { key: by = key, ...headers }: Record<string, string> = {}) =>
  call(harness, 'POST', '/v1/income-checks', { key: by, body, headers });
const sha256Of = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');

describe('in live', () => {
  test('documents that come with the request are sent at once, and read as those of an end user', async () => {
    const { status, json } = await create({ reference: 'with documents', documents: [documentOf(slip)] });
    expect(status).toBe(201);
    expect(IncomeCheck.parse(json)).toMatchObject({
      ...{ status: 'in_progress', upload_url: null, result: null, verdict: null },
      documents: [{ object: 'income_document', type: null, sha256: sha256Of(slip), pages: null }],
    });
    const found = await completed(json.id);
    expect(found.documents).toMatchObject([{ id: json.documents[0].id, type: 'payslip', pages: 1 }]);
    expect(found).toMatchObject({ result: { net_cents: 268_444 }, upload_url: null });
    expect(found.verdict).toMatchObject({ outcome: 'review', reviewed: false });
    expect(resultOf(found, 'arithmetic', json.documents[0].id)).toBe('passed');
    const lines = await harness.rows<{ type: string; actor: string }>`
      select type, data -> 'actor' ->> 'kind' as actor from ledger where subject_id = ${json.id} order by sequence`;
    expect(lines).toEqual([
      { type: 'verification.created', actor: 'key' },
      { type: 'verification.submitted', actor: 'key' },
      { type: 'verification.completed', actor: 'machine' },
    ]);
  });

  test('neither the request nor any other row has the documents or their names in plain', async () => {
    const { json } = await create({ documents: [documentOf(second)] }, { 'idempotency-key': 'plain' });
    const [row] = await harness.rows<{ all: string }>`
      select concat(
        (select string_agg(to_jsonb(r)::text, '') from requests r where id = ${json.id}),
        (select string_agg(to_jsonb(f)::text, '') from income_files f where verification_id = ${json.id}),
        (select string_agg(to_jsonb(l)::text, '') from ledger l where subject_id = ${json.id})) as "all"`;
    const all = String(row?.all);
    expect(all).toContain(json.id);
    for (const word of ['Berg.pdf', '%PDF-', second.subarray(0, 30).toString('base64')]) {
      expect(all).not.toContain(word);
      expect(all).not.toContain(Buffer.from(word).toString('hex'));
    }
  });

  test('a repetition gets the same bytes, and another document with the same key is refused', async () => {
    const again = { 'idempotency-key': 'again' };
    const first = await create({ documents: [documentOf(slip), documentOf(second)] }, again);
    const repeated = await create({ documents: [documentOf(slip), documentOf(second)] }, again);
    expect(repeated.text).toBe(first.text);
    expect(repeated.headers['idempotent-replayed']).toBe('true');
    const read = await call(harness, 'GET', `/v1/income-checks/${first.json.id}`, { key });
    const idsOf = (documents: { id: string }[]) => documents.map(({ id }) => id);
    expect(idsOf(read.json.documents)).toEqual(idsOf(first.json.documents));
    const changed = await create({ documents: [documentOf(second), documentOf(slip)] }, again);
    expect(changed.json.error.code).toBe('idempotency_key_reused');
  });

  test('a create that failed while its documents were stored is healed by its repetition alone', async () => {
    const body = { documents: [documentOf(slip), documentOf(second)] };
    const headers = { 'idempotency-key': 'failed' };
    await harness.rows`
      create function lose_documents() returns trigger language plpgsql as $$ begin raise 'lost'; end $$`;
    await harness.rows`create trigger lost before insert on income_files execute function lose_documents()`;
    expect((await create(body, headers)).status).toBe(500);
    await harness.rows`drop trigger lost on income_files`;
    const [claim] = await harness.rows<{ id: string; orgId: string }>`
      select id, org_id as "orgId" from requests where idempotency_key = 'failed' and status = 'claimed'`;
    const ref = {
      verificationId: String(claim?.id),
      orgId: String(claim?.orgId),
      environment: 'live',
    } as const;
    expect(await recordVerification(harness.ctx, ref)).toMatchObject({ status: 'missing' });
    expect((await call(harness, 'GET', `/v1/income-checks/${claim?.id}`, { key })).status).toBe(404);
    const { status, json } = await create(body, headers);
    expect([status, json.id, json.documents.length]).toEqual([201, claim?.id, 2]);
    expect((await completed(json.id)).documents).toHaveLength(2);
  });

  test('its dossier holds, and names the document of each check', async () => {
    const { json } = await create({ documents: [documentOf(slip), documentOf(second)] });
    const { documents } = await completed(json.id);
    const office = await startOffice(harness);
    await office.sign('2026-11-20');
    const dossier = await office.made(json.id);
    expect(await office.verify(dossierText(dossier))).toMatchObject({ status: 0 });
    expect(dossier.checks.map(({ document_id }) => document_id)).toEqual(
      expect.arrayContaining(documents.map(({ id }) => id)),
    );
    const checks = dossier.checks.map((check) => ({ ...check, document_id: documents[1]?.id ?? '' }));
    expect((await office.verify(JSON.stringify({ ...dossier, checks }))).stdout).toContain('BROKEN');
  });
});

describe('in sandbox', () => {
  test('it completes at once, or by itself a moment later, with the usual result, and keeps nothing', async () => {
    const { key: sandbox } = await harness.key();
    const documents = [documentOf(slip)];
    const atOnce = await create({ documents }, { key: sandbox });
    expect(atOnce.json).toMatchObject({
      status: 'completed',
      upload_url: null,
      result: { net_cents: 271_450 },
    });
    const later = await create(
      { documents, sandbox: { scenario: 'review', auto_complete: false } },
      { key: sandbox },
    );
    expect(later.json).toMatchObject({ status: 'in_progress', upload_url: null, documents: [] });
    expect((await completed(later.json.id, sandbox)).verdict).toMatchObject({ outcome: 'review' });
    const stored = await harness.rows`select id from income_files where environment = 'sandbox'`;
    expect(stored).toEqual([]);
  });
});
