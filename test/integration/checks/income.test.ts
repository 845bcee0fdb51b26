import { describe, expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { createChecks } from '#activities/run-checks.ts';
import { examinationsMax, examineAgainMs } from '#policy/examination.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { quickComparer } from '#test/support/examiners/quick-comparer.ts';
import { quickMeasurer } from '#test/support/examiners/quick-measurer.ts';
import { call } from '#test/support/harness.ts';
import { exportByOperator } from '#test/support/people/as-operator.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { layouts, slipOf } from '#test/support/specimens/income/small/paper.ts';
import { resultOf, startIncomeCases } from './income-cases.ts';

/** No income check has a document of identity. */
const failing: DocumentReader = {
  check: async () => Promise.reject(new Error('nothing to read')),
  close: async () => undefined,
};
const { harness, partner, papers, plan, create, handIn, read, completed, sent } = await startIncomeCases();
const { key } = partner;
const [layout = '', other = ''] = Object.keys(layouts);

describe('in live', () => {
  test('a slip that holds goes to a person, with what it says in cents and its checks by document', async () => {
    const { found, id } = await sent({ reference: 'tenant' }, await slipOf(layout));
    const [document] = found.documents;
    expect(document).toMatchObject({ type: 'payslip', pages: 1, period_start: '2026-05-01' });
    expect(found.result).toMatchObject({
      ...{ currency: 'EUR', employer_name: 'Kwekerij De Linde B.V.', gross_cents: 358_667 },
      ...{ net_cents: 268_444, pay_frequency: 'monthly', period_end: '2026-05-31' },
    });
    expect(found.verdict).toMatchObject({ outcome: 'review', reviewed: false });
    expect(found.verdict?.checks.map(({ document_id }) => document_id)).toContain(document?.id);
    expect(resultOf(found, 'arithmetic')).toBe('passed');
    expect(resultOf(found, 'file_integrity')).toBe('passed');
    const listed = await call(harness, 'GET', '/v1/income-checks?limit=1', { key });
    expect(listed.json.data[0]).toMatchObject({ id, result: { net_cents: 268_444 } });
  });

  test('the file is gone once it was read, its pages stay as pictures, and no word of it is stored in plain', async () => {
    const { id } = await sent({}, await slipOf(layout));
    const files = await harness.rows<{ file: Buffer | null; pages: Buffer }>`
      select file, pages from income_files where verification_id = ${id}`;
    expect(files).toMatchObject([{ file: null, pages: expect.any(Buffer) }]);
    const [row] = await harness.rows<{ all: string }>`
      select concat(
        (select string_agg(to_jsonb(c)::text, '') from income_checks c where verification_id = ${id}),
        (select string_agg(to_jsonb(f)::text, '') from income_files f where verification_id = ${id}),
        (select string_agg(to_jsonb(e)::text, '') from evidence e where verification_id = ${id}),
        (select string_agg(to_jsonb(x)::text, '') from examinations x where verification_id = ${id}),
        (select string_agg(to_jsonb(l)::text, '') from ledger l where subject_id = ${id})) as "all"`;
    const all = (row?.all ?? '').toLowerCase();
    expect(all).not.toContain(Buffer.from('Linde').toString('hex'));
    expect(all.replaceAll(/\\x[0-9a-f]*/g, '')).not.toMatch(/linde|268444/);
    const exported = await exportByOperator(harness.ctx, id);
    const [picture] = exported.income?.documents[0]?.pages_jpeg_base64 ?? [];
    expect(Buffer.from(picture ?? '', 'base64').subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  test('a file that could not be read in five tries is deleted, and a person looks', async () => {
    const started = await create();
    await handIn(started, await slipOf(layout));
    const [row] = await harness.rows<{ orgId: string }>`
      update verifications set submitted_at = now() where id = ${started.id} returning org_id as "orgId"`;
    const ref = { verificationId: started.id, orgId: String(row?.orgId), environment: 'live' } as const;
    const parts = { papers, documents: failing, faces: quickComparer, liveness: quickMeasurer };
    const examine = createChecks(harness.ctx, parts, collectedLog('income'));
    plan.failures = examinationsMax;
    for (let attempt = 1; attempt < examinationsMax; attempt++)
      expect(await examine(ref)).toEqual({ examined: false, againMs: examineAgainMs[attempt - 1] });
    const unread = () =>
      harness.rows`select id from income_files where verification_id = ${started.id} and file is not null`;
    expect(await unread()).toHaveLength(1);
    expect(await examine(ref)).toEqual({ examined: true });
    expect(await unread()).toEqual([]);
    const later = { ...harness.ctx.clock, now: () => new Date(Date.now() + 120_000) };
    await createSubmissionSweep({ ...harness.ctx, clock: later })(new AbortController().signal);
    const found = await completed(started.id);
    expect(found.verdict).toMatchObject({ outcome: 'review', checks: [] });
  });

  test('what was handed in goes when its time is over, and the result stays', async () => {
    const { id } = await sent({}, await slipOf(layout));
    await harness.rows`update evidence set expires_at = now() - interval '1 hour' where verification_id = ${id}`;
    const order = { what: 'evidence', rowsMax: 100 } as const;
    await purgeExpired({ store: harness.housekeepingStore, clock: harness.ctx.clock }, order);
    expect(await harness.rows`select id from income_files where verification_id = ${id}`).toEqual([]);
    expect((await read(id)).result).toMatchObject({ net_cents: 268_444 });
  });

  test('an erasure leaves the outcome, and nothing of the documents, also not their hashes', async () => {
    await harness.rows`update organisations set erase_by_key = true where name = 'Acme'`;
    const { id } = await sent({}, await slipOf(other, { net: '2.684,44' }));
    const erased = await call(harness, 'POST', `/v1/income-checks/${id}/erase`, { key });
    expect(erased.json).toMatchObject({ result: null, documents: [], verdict: { outcome: 'review' } });
    const [left] = await harness.rows<{ files: number; hashes: number; judged: boolean }>`
      select (select count(*)::int from income_files where verification_id = ${id}) as files,
        (select count(*)::int from income_hashes where verification_id = ${id}) as hashes,
        (select judgement is not null from income_checks where verification_id = ${id}) as judged`;
    expect(left).toEqual({ files: 0, hashes: 0, judged: false });
  });
});
