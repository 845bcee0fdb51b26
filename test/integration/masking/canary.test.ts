import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecrets, sha256 } from '#platform/crypto/crypto.ts';
import { type Cluster, startCluster } from '#test/integration/several/cluster.ts';
import { call } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import type { Program } from '#test/support/program.ts';
import { dataKeyOf } from '#test/support/rows/data-key.ts';
import { untilMasked } from '#test/support/rows/masked.ts';
import {
  bareShareOf,
  codesIn,
  isReadableIn,
  noTesseract,
  textOf,
} from '#test/support/specimens/bsn/judge.ts';
import { type BsnSpecimen, bsnSpecimen } from '#test/support/specimens/bsn/specimens.ts';

/** The real worker, as a process that can be killed, with the real programs. */

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ workers: 1 });
}, 120_000);
afterAll(() => cluster.stop());

const secrets = createSecrets([Buffer.alloc(32, 7)]);
const patience = { timeout: 200_000, interval: 20 };

type Row = { kind: string; picture: Buffer; sha256: Buffer };
const evidenceOf = (id: string) =>
  cluster.rows<Row>`select kind, picture, sha256 from evidence where verification_id = ${id} order by kind`;
const kindsOf = async (id: string) => (await evidenceOf(id)).map(({ kind }) => kind);
const begunOf = async (id: string) => {
  const [row] = await cluster.rows<{ begun: number }>`
    select maskings_begun as begun from verifications where id = ${id}`;
  return row?.begun ?? 0;
};
const examined = (id: string) =>
  cluster.rows`select number, created_at from examinations where verification_id = ${id} order by number`;

async function killed(worker: Program | undefined): Promise<void> {
  worker?.signal('SIGKILL');
  await worker?.exited;
}

let made: { specimen: BsnSpecimen; copies: readonly Buffer[] };

test('of a person with a BSN no original is left, although the worker was killed twice after the verdict', async () => {
  const [api] = cluster.apis;
  const { key } = await cluster.key({ org: 'Canary', environment: 'live' });
  const specimen = await bsnSpecimen(0, { kind: 'card of 2021', form: 'grouped', shot: { tilt: 3 } });
  const body = { method: 'document_liveness', reference: 'canary' };
  const { json } = await call(api, 'POST', '/v1/verifications', { key, body });
  const id: string = json.id;
  const user = person(api, json.verify_url);
  await user.start();
  await user.upload('card_front', specimen.front);
  await user.upload('card_back', specimen.back as Buffer);
  await user.upload('selfie', specimen.front);
  await user.noMovements();
  // What was read is no original. It may be there already.
  const originals = (await evidenceOf(id)).filter(({ kind }) => kind !== 'fields');
  await user.submit();

  const read = async () => (await call(api, 'GET', `/v1/verifications/${id}`, { key })).json;
  await expect.poll(async () => (await read()).status, patience).toBe('completed');
  await killed(cluster.workers[0]);
  // The document can be examined before Send, and the face after it, each with a row.
  const examinations = await examined(id);
  const whole = ['card_back', 'card_front', 'fields', 'movements', 'selfie'];
  expect(await kindsOf(id)).toEqual(whole);
  const begun = await begunOf(id);
  const second = await cluster.startWorker();
  await expect.poll(() => begunOf(id), patience).toBe(begun + 1);
  await killed(second);
  expect(await kindsOf(id)).toEqual(whole);
  await cluster.startWorker();
  await untilMasked(cluster.rows, id);

  const stored = await evidenceOf(id);
  expect(stored.map(({ kind }) => kind)).toEqual([
    'fields',
    'masked_back',
    'masked_front',
    'portrait',
    'selfie',
  ]);
  expect(await examined(id)).toEqual(examinations);
  const dataKey = await dataKeyOf(cluster.rows, secrets, id);
  const opened = new Map(
    stored.map(({ kind, picture }) => [kind, dataKey.open(`evidence/${id}/${kind}`, picture)]),
  );
  const copies = [opened.get('masked_front'), opened.get('masked_back')] as [Buffer, Buffer];
  for (const copy of [...copies, opened.get('selfie') as Buffer]) expect(await codesIn(copy)).toEqual([]);
  expect(await codesIn(specimen.back as Buffer)).toContain(specimen.bsn);
  made = { specimen, copies };
  const copyWithPrint = opened.get(`masked_${specimen.printed.on}`) as Buffer;
  expect(await bareShareOf(copyWithPrint, specimen.printed)).toBe(0);

  const lines = await cluster.rows<{ type: string; data: Record<string, unknown> }>`
    select type, data from ledger where subject_id = ${id} order by sequence`;
  expect(lines.map(({ type }) => type).slice(2)).toEqual([
    ...['verification.submitted', 'verification.completed', 'evidence.masked'],
  ]);
  const named = (rows: readonly { kind: string; sha256: Buffer | null }[]) =>
    rows.map(({ kind, sha256: hash }) => ({ kind, sha256: hash?.toString('hex') ?? null }));
  const copied = ['masked_front', 'masked_back', 'portrait', 'selfie'].map((kind) => ({
    kind,
    sha256: sha256(opened.get(kind) as Buffer),
  }));
  expect(lines[4]?.data).toMatchObject({
    // The person holds the card before the camera, so the selfie is replaced too.
    originals: named(originals),
    copies: named(copied),
    ...{ bsn_detected: true, in_doubt: false },
  });
  expect(JSON.stringify(lines)).not.toContain(specimen.bsn);
}, 480_000);

test('another reader reads no BSN in these copies', async ({ skip }) => {
  const missing = await noTesseract();
  skip(missing !== undefined, missing);
  const { specimen, copies } = made;
  for (const copy of copies)
    expect(isReadableIn(await textOf(copy, specimen.degrees), specimen.bsn)).toBe(false);
});
