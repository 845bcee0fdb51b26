import { describe, expect, test } from 'vitest';
import type { DocumentMasker, DocumentReader, MaskingRequest } from '#activities/checks/port.ts';
import { createMasking } from '#activities/run-masking.ts';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { maskAgainMs, maskingsMax } from '#policy/masking.ts';
import { beginMasking } from '#services/flow/masking.ts';
import { createMaskingSweep } from '#services/flow/restart.ts';
import { orphanedWorkflows } from '#services/inspection/orphaned-workflows.ts';
import { claimReview } from '#services/reviews/claim.ts';
import { decideReview } from '#services/reviews/decide.ts';
import { openMaterial } from '#services/reviews/material.ts';
import { ReviewRefused } from '#services/reviews/refused.ts';
import type { Store } from '#store/database/connection.ts';
import { madeUpCopy, quickMasker } from '#test/support/examiners/quick-masker.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { eraseByOperator, exportByOperator } from '#test/support/people/as-operator.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { maskingsIn } from './stored.ts';

const documents: DocumentReader = {
  check: async () => ({
    read: null,
    checks: [{ kind: 'document_expiry', result: 'failed', confidence: 0.99 }],
  }),
  close: async () => undefined,
};
const portrait = Buffer.from('ffd8ff-a face-ffd9');
const made = { bsnDetected: true, inDoubt: false, portrait };
const asked: MaskingRequest[] = [];
const plan = { failures: 0, held: Promise.resolve() };
/** Waits until it is let go, and fails as often as `plan` says. */
const masker: DocumentMasker = {
  async mask(pictures, request) {
    asked.push(request);
    await plan.held;
    if (plan.failures-- > 0) throw new Error('geheim: what was read on the document');
    return { ...(await quickMasker.mask(pictures, request)), ...made };
  },
  close: async () => undefined,
};
const harness = await startHarness({ documents, masker });
const { key } = await harness.key({ environment: 'live' });
const { started, refOf, examined, kinds, maskedLines } = maskingsIn(harness, key);
const log = collectedLog('masking');
const ctx = harness.ctx;
const maskWith = (other: Partial<DocumentMasker>, store: Store = harness.store) =>
  createMasking({ ...ctx, store }, { ...quickMasker, ...other }, log);
const broken = maskWith({
  mask: async () => {
    throw new Error('The document could not be masked');
  },
});
const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const completed = (id: string) =>
  expect.poll(async () => (await read(id)).status, { timeout: 30_000 }).toBe('completed');
const masked = async (id: string) => {
  await completed(id);
  await untilMasked(harness.rows, id);
};
const hashOf = (bytes: Buffer) => sha256(bytes).toString('hex');
const copies = [
  { kind: 'masked_front', sha256: hashOf(madeUpCopy) },
  { kind: 'portrait', sha256: hashOf(portrait) },
];

describe('after the verdict', () => {
  test('the originals are gone, and the sealed copies and both hashes are there', async () => {
    await harness.settings({ displayName: 'Acme Homes', purpose: 'a flat' });
    const { id, user } = await started();
    const [before] = await harness.rows<{ sha256: Buffer }>`
      select sha256 from evidence where verification_id = ${id}`;
    await user.submit();
    await masked(id);
    expect(await kinds(id)).toEqual(['masked_front', 'portrait']);
    const stored = await harness.rows<{ kind: string; picture: Buffer; days: number }>`
      select kind, picture, round(extract(epoch from expires_at - now()) / 86400)::int as days
      from evidence where verification_id = ${id} order by kind`;
    const dataKey = await dataKeyOf(harness.rows, ctx.secrets, id);
    const opened = stored.map(({ kind, picture }) => dataKey.open(`evidence/${id}/${kind}`, picture));
    expect(opened).toEqual([madeUpCopy, portrait]);
    expect(stored.map(({ days }) => days)).toEqual([30, 30]);
    expect(await maskedLines(id)).toMatchObject([
      {
        data: {
          actor: { kind: 'machine' },
          kinds: ['passport_page'],
          originals: [{ kind: 'passport_page', sha256: before?.sha256.toString('hex') }],
          ...{ copies, copy: 'review', bsn_detected: true, in_doubt: false },
          engine: { name: 'document-masker' },
        },
      },
    ]);
    expect(asked.at(-1)).toEqual({
      use: 'review',
      ...{ organisation: 'Acme Homes', purpose: 'a flat', language: 'en', coverPortrait: true },
      date: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' }),
    });
    const exported = await exportByOperator(ctx, id);
    expect(exported.evidence.map(({ kind, jpeg_base64 }) => [kind, jpeg_base64])).toEqual([
      ['masked_front', madeUpCopy.toString('base64')],
      ['portrait', portrait.toString('base64')],
    ]);
    expect((await user.look()).text).toContain('Done');
  });

  test('a copy that nobody has to assess is made for a file', async () => {
    await harness.settings({ decisions: 'machine_may_reject' });
    const { id, user } = await started();
    await user.submit();
    await masked(id);
    expect((await read(id)).verdict.outcome).toBe('rejected');
    expect(asked.at(-1)).toMatchObject({ use: 'kept' });
    expect(await maskedLines(id)).toMatchObject([{ data: { copies, copy: 'kept' } }]);
    await harness.settings({ decisions: 'people' });
  });

  test('the checks are the same, also if the masking fails for a time', async () => {
    plan.failures = 1;
    const { id, user } = await started();
    await user.submit();
    await masked(id);
    expect((await read(id)).verdict.reasons).toContain('The document has expired.');
    expect(await kinds(id)).toEqual(['masked_front', 'portrait']);
    expect(await maskedLines(id)).toHaveLength(1);
  });

  test('an erasure takes the copies too, and names them', async () => {
    const { id, user } = await started();
    await user.submit();
    await masked(id);
    await eraseByOperator(harness, id);
    expect(await kinds(id)).toEqual([]);
    const [line] = await harness.rows`
      select data from ledger where subject_id = ${id} and type = 'verification.erased'`;
    expect(line?.data).toMatchObject({ kinds: ['masked_front', 'portrait'] });
  });
});

describe('the verdict does not wait for the copy', () => {
  const later = { ...ctx, clock: { ...ctx.clock, now: () => new Date(Date.now() + 121_000) } };
  const sweep = (at: typeof ctx) => createMaskingSweep(at)(new AbortController().signal);
  const anna = { id: 'anna' };
  /** A verdict whose document is being masked. */
  const unmasked = async () => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    plan.held = promise;
    const before = asked.length;
    const { id, user } = await started();
    await user.submit();
    await completed(id);
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(before + 1);
    return { id, user, letGo };
  };

  test('the person and the organisation have it while the copy is made, and nobody sees an original', async () => {
    const { id, user, letGo } = await unmasked();
    expect(await kinds(id)).toEqual(['passport_page']);
    expect((await user.look()).text).toContain('Done');
    const { orgId } = await refOf(id);
    const reviewer = asOwner(anna, orgId, 'live');
    await claimReview(ctx, reviewer, { id });
    await expect(openMaterial(ctx, reviewer, { id })).rejects.toEqual(new ReviewRefused('copy_not_ready'));
    const order = {
      verificationId: id,
      outcome: 'rejected',
      reasonIds: ['reviewer_doubts_document'],
    } as const;
    await expect(decideReview({ ...ctx, deadlineAt: Date.now() + 5_000 }, reviewer, order)).rejects.toEqual(
      new ReviewRefused('copy_not_ready'),
    );
    letGo();
    await untilMasked(harness.rows, id);
    expect((await openMaterial(ctx, reviewer, { id })).pictures.map(({ kind }) => kind)).toEqual([
      'masked_front',
      'portrait',
    ]);
  });

  test('a run that is lost before the copy stands is started again by the sweep, and makes it', async () => {
    const { id, letGo } = await unmasked();
    const run = harness.temporal.workflow.getHandle(verificationWorkflowId(id));
    expect(await sweep(ctx)).toEqual({ found: 0, failed: 0 });
    await run.terminate('by hand');
    plan.failures = 1;
    letGo();
    await expect.poll(() => plan.failures).toBe(0);
    expect(await kinds(id)).toEqual(['passport_page']);
    expect(await sweep(later)).toEqual({ found: 1, failed: 0 });
    await untilMasked(harness.rows, id);
    expect(await maskedLines(id)).toHaveLength(1);
    expect(await sweep(later)).toEqual({ found: 0, failed: 0 });
  });

  test('a run that masks is no run without work for the inspection', async () => {
    const { id, letGo } = await unmasked();
    await harness.rows`update verifications set completed_at = now() - interval '1 hour' where id = ${id}`;
    const runningVerifications = async function* () {
      yield id;
    };
    const orphans = async () => {
      const found: string[] = [];
      const temporal = { ...ctx.temporal, runningVerifications };
      for await (const orphan of orphanedWorkflows({ store: harness.store, temporal })) found.push(orphan);
      return found;
    };
    expect(await orphans()).toEqual([]);
    letGo();
    await untilMasked(harness.rows, id);
    await harness.rows`update evidence set taken_at = now() - interval '1 hour' where verification_id = ${id}`;
    expect(await orphans()).toEqual([id]);
  });
});

describe('a document that cannot be masked', () => {
  test('is deleted without a copy after some tries, and then nothing is tried any more', async () => {
    const { id, ref } = await examined();
    for (let attempt = 1; attempt < maskingsMax; attempt++) {
      expect(await broken(ref)).toEqual({ masked: false, againMs: maskAgainMs[attempt - 1] });
      expect(await kinds(id)).toEqual(['passport_page']);
    }
    expect(await broken(ref)).toEqual({ masked: true });
    expect(await kinds(id)).toEqual([]);
    expect(await broken(ref)).toEqual({ masked: true });
    expect(await maskedLines(id)).toMatchObject([
      { data: { kinds: ['passport_page'], copies: [], bsn_detected: null, in_doubt: null } },
    ]);
  });

  test('takes the selfie with it, since nobody knows whether it shows a document', async () => {
    const { id, ref } = await examined('document_liveness');
    for (let attempt = 1; attempt < maskingsMax; attempt++) await broken(ref);
    expect(await kinds(id)).toEqual(['movements', 'passport_page', 'selfie']);
    expect(await broken(ref)).toEqual({ masked: true });
    expect(await kinds(id)).toEqual([]);
    expect(await maskedLines(id)).toMatchObject([
      { data: { kinds: ['movements', 'passport_page', 'selfie'], copies: [] } },
    ]);
  });

  test('because it ends its worker each time is deleted as well', async () => {
    const { id, ref } = await examined();
    for (let attempt = 1; attempt <= maskingsMax; attempt++)
      expect(await beginMasking(ctx, ref)).toHaveProperty('againMs', maskAgainMs[attempt - 1]);
    expect(await maskWith({})(ref)).toEqual({ masked: true });
    expect(await kinds(id)).toEqual([]);
    expect(await maskedLines(id)).toMatchObject([{ data: { copies: [] } }]);
  });
});

describe('a masking that is repeated', () => {
  test('after a crash before the commit ends in the same state', async () => {
    const { id, ref } = await examined();
    let transactions = 0;
    const away: Store = {
      ...harness.store,
      transaction: (work) => {
        transactions += 1;
        return harness.store.transaction(async (tx) => {
          const result = await work(tx);
          if (transactions === 2) throw new Error('the connection is lost');
          return result;
        });
      },
    };
    await expect(maskWith({}, away)(ref)).rejects.toThrow('the connection is lost');
    expect(await kinds(id)).toEqual(['passport_page']);
    expect(await maskedLines(id)).toEqual([]);
    expect(await maskWith({})(ref)).toEqual({ masked: true });
    expect(await kinds(id)).toEqual(['masked_front']);
    expect(await maskedLines(id)).toHaveLength(1);
  });

  test('after the commit, or by two workers at once, changes nothing more', async () => {
    const { id, ref } = await examined();
    await Promise.all([maskWith({})(ref), maskWith({})(ref)]);
    await maskWith({})(ref);
    expect(await kinds(id)).toEqual(['masked_front']);
    expect(await maskedLines(id)).toHaveLength(1);
  });
});

test('nothing is masked before it was examined, and nothing in sandbox', async () => {
  const { id, ref } = await examined();
  await harness.rows`delete from examinations where verification_id = ${id}`;
  expect(await maskWith({})(ref)).toEqual({ masked: true });
  expect(await kinds(id)).toEqual(['passport_page']);
  expect(await beginMasking(ctx, { ...ref, environment: 'sandbox' })).toBeUndefined();
});
