import { describe, expect, test } from 'vitest';
import type { DocumentMasker, DocumentReader, MaskingRequest } from '#activities/checks/port.ts';
import { createMasking } from '#activities/run-masking.ts';
import { sha256 } from '#platform/crypto.ts';
import { maskingsMax } from '#policy/masking.ts';
import { beginMasking } from '#services/flow/masking.ts';
import { eraseByOperator } from '#services/privacy/by-operator.ts';
import { exportPerson } from '#services/privacy/export.ts';
import type { Store } from '#store/connection.ts';
import { dataKeyOf } from '#test/support/data-key.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { madeUpCopy, quickMasker } from '#test/support/quick-masker.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { maskingsIn } from './stored.ts';

const documents: DocumentReader = {
  check: async () => [{ kind: 'document_expiry', result: 'failed', confidence: 0.99 }],
  close: async () => undefined,
};
const portrait = Buffer.from('ffd8ff-a face-ffd9');
const made = { bsnDetected: true, inDoubt: false, portrait };
const asked: MaskingRequest[] = [];
const plan = { failures: 0 };
/** Fails as often as `plan` says. */
const masker: DocumentMasker = {
  async mask(pictures, request) {
    asked.push(request);
    if (plan.failures-- > 0) throw new Error('geheim: what was read on the document');
    return { ...(await quickMasker.mask(pictures, request)), ...made };
  },
  close: async () => undefined,
};
const harness = await startHarness({ documents, masker });
const { key } = await harness.key({ environment: 'live' });
const { started, examined, kinds, maskedLines } = maskingsIn(harness, key);
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
const hashOf = (bytes: Buffer) => sha256(bytes).toString('hex');
const copies = [
  { kind: 'masked_front', sha256: hashOf(madeUpCopy) },
  { kind: 'portrait', sha256: hashOf(portrait) },
];

describe('after the verdict', () => {
  test('the originals are gone, and the sealed copies and both hashes are there', async () => {
    await harness.settings({ purpose: 'a flat' });
    const { id, user } = await started();
    const [before] = await harness.rows<{ sha256: Buffer }>`
      select sha256 from evidence where verification_id = ${id}`;
    await user.submit();
    await completed(id);
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
          ...{ copies, bsn_detected: true, in_doubt: false },
          engine: { name: 'document-masker' },
        },
      },
    ]);
    expect(asked.at(-1)).toEqual({
      ...{ organisation: 'Acme', purpose: 'a flat', language: 'en', coverPortrait: true },
      date: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Amsterdam' }),
    });
    const exported = await exportPerson(ctx, id);
    expect(exported.evidence.map(({ kind, jpeg_base64 }) => [kind, jpeg_base64])).toEqual([
      ['masked_front', madeUpCopy.toString('base64')],
      ['portrait', portrait.toString('base64')],
    ]);
    expect((await user.look()).text).toContain('Done');
  });

  test('the checks are the same, also if the masking fails for a time', async () => {
    plan.failures = 1;
    const { id, user } = await started();
    await user.submit();
    await completed(id);
    expect((await read(id)).verdict.reasons).toContain('The document has expired.');
    expect(await kinds(id)).toEqual(['masked_front', 'portrait']);
    expect(await maskedLines(id)).toHaveLength(1);
  });

  test('an erasure takes the copies too, and names them', async () => {
    const { id, user } = await started();
    await user.submit();
    await completed(id);
    await eraseByOperator(harness, id);
    expect(await kinds(id)).toEqual([]);
    const [line] = await harness.rows`
      select data from ledger where subject_id = ${id} and type = 'verification.erased'`;
    expect(line?.data).toMatchObject({ kinds: ['masked_front', 'portrait'] });
  });
});

describe('a document that cannot be masked', () => {
  test('is deleted without a copy after some tries, and then nothing is tried any more', async () => {
    const { id, ref } = await examined();
    for (let attempt = 1; attempt < maskingsMax; attempt++) {
      expect(await broken(ref)).toEqual({ masked: false });
      expect(await kinds(id)).toEqual(['passport_page']);
    }
    expect(await broken(ref)).toEqual({ masked: true });
    expect(await kinds(id)).toEqual([]);
    expect(await broken(ref)).toEqual({ masked: true });
    expect(await maskedLines(id)).toMatchObject([
      { data: { kinds: ['passport_page'], copies: [], bsn_detected: null, in_doubt: null } },
    ]);
  });

  test('because it ends its worker each time is deleted as well', async () => {
    const { id, ref } = await examined();
    for (let attempt = 1; attempt <= maskingsMax; attempt++)
      expect(await beginMasking(ctx, ref)).toMatchObject({ isLastTry: attempt === maskingsMax });
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
