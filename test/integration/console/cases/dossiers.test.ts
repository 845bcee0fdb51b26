import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { joins, type Visitor } from '#test/support/people/console.ts';
import { checkDossier } from '#worker/commands/verify-dossier.mjs';

const folder = await mkdtemp(join(tmpdir(), 'dossiers-'));
atTheEnd(() => rm(folder, { recursive: true }));
const signer = createSigner([Buffer.alloc(32, 23)]);
const roots = rootFiles(folder, signer);
const harness = await startHarness({ roots });
const { url } = await harness.startConsole();
const { key } = await harness.key({ org: 'Acme' });
const auditor = await joins(harness, url, { role: 'auditor' });
const owner = await joins(harness, url, { role: 'owner' });

const created = async (apiKey = key): Promise<string> =>
  (await call(harness, 'POST', '/v1/verifications', { key: apiKey, body: { reference: 'order 7' } })).json.id;

const order = async ({ visitor }: { visitor: Visitor }, id: string, format = 'json') => {
  const { location, status } = await visitor.submit(`/verifications/${id}`, `/verifications/${id}/dossier`, {
    format,
  });
  expect(status).toBe(303);
  return location ?? '';
};
/** A worker that is slow has not made it when the page stops waiting. */
async function fileOf({ visitor }: { visitor: Visitor }, path: string) {
  await expect.poll(async () => (await visitor.get(`${path}/file`)).status, { timeout: 60_000 }).toBe(200);
  return visitor.get(`${path}/file`);
}
const checked = (text: string) => checkDossier(Buffer.from(text), [createPublicKey(signer.publicKey)]);
const linesOf = (id: string) =>
  harness.rows<{ type: string; data: object }>`
    select type, data from ledger where subject_id = ${id} order by sequence`;

test('an auditor gets a dossier that the check of an auditor accepts, and the chain names the auditor', async () => {
  const id = await created();
  await signLedger({ store: harness.store, clock: harness.ctx.clock }, roots);
  const path = await order(auditor, id);
  const file = await fileOf(auditor, path);
  expect((await auditor.visitor.get(path)).html).toContain(`${path}/file`);
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="dossier-${id}.json"`);
  expect(file.headers.get('cache-control')).toBe('no-store');
  const { faults, lines, anchored } = checked(file.html);
  expect(faults).toEqual([]);
  expect(anchored).toBe(lines);
  expect(JSON.parse(file.html).header).toMatchObject({ verification_id: id, reference: 'order 7' });
  const last = (await linesOf(id)).at(-1);
  expect(last).toMatchObject({
    type: 'dossier.made',
    data: { format: 'json', actor: { kind: 'member', id: auditor.memberId } },
  });
});

test('the public key lies in the folder of the roots before anything was signed by day', async () => {
  await rm(join(folder, `${signer.fingerprint}.pem`), { force: true });
  await fileOf(auditor, await order(auditor, await created()));
  expect(await readFile(join(folder, `${signer.fingerprint}.pem`), 'utf8')).toBe(signer.publicKey);
});

test('an owner gets a PDF', async () => {
  const path = await order(owner, await created(), 'pdf');
  const file = await fileOf(owner, path);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.html.slice(0, 5)).toBe('%PDF-');
});

test('the dossier belongs to who ordered it: others of the organisation and foreigners find nothing', async () => {
  const path = await order(auditor, await created());
  await fileOf(auditor, path);
  const foreign = await joins(harness, url, { org: 'Other', role: 'auditor' });
  for (const { visitor } of [owner, foreign])
    for (const each of [path, `${path}/file`]) expect((await visitor.get(each)).status).toBe(404);
});

test('a dossier of another organisation cannot be ordered, and nothing is written', async () => {
  const id = await created((await harness.key({ org: 'Other' })).key);
  const before = await linesOf(id);
  const sent = await auditor.visitor.submit('/account', `/verifications/${id}/dossier`, { format: 'json' });
  expect(sent.status).toBe(404);
  expect(await linesOf(id)).toEqual(before);
});

test('the stored dossier is sealed, and an erasure removes it', async () => {
  const id = await created();
  const path = await order(auditor, id);
  const stored = () => harness.rows<{ answer: Buffer | null; input: unknown }>`
    select answer, input from requests where verification_id = ${id} and operation = 'make_dossier'`;
  await fileOf(auditor, path);
  const [row] = await stored();
  expect(row?.answer?.includes('order 7')).toBe(false);
  await owner.visitor.submit(`/verifications/${id}`, `/verifications/${id}/erase`, { sure: 'yes' });
  expect((await stored())[0]?.answer).toBeNull();
  expect((await auditor.visitor.get(`${path}/file`)).status).toBe(404);
});

test('while no worker runs the order is kept, and the dossier is made later, once', async () => {
  const id = await created();
  await harness.stopWorker();
  const path = await order(auditor, id);
  expect((await auditor.visitor.get(path)).html).toContain('not ready');
  expect((await auditor.visitor.get(`${path}/file`)).status).toBe(404);
  await harness.startWorker();
  await fileOf(auditor, path);
  expect((await linesOf(id)).filter(({ type }) => type === 'dossier.made')).toHaveLength(1);
}, 60_000);

test('who reaches Temporal gets no dossier by the order for another verification', async () => {
  const [ordered, wanted] = [await created(), await created()];
  const [{ id: orderId, org_id: orgId } = { id: '', org_id: '' }] = await harness.rows<{
    id: string;
    org_id: string;
  }>`
    insert into requests (id, org_id, environment, operation, fingerprint, input, verification_id)
    select gen_random_uuid(), org_id, environment, 'make_dossier', '',
      ${JSON.stringify({ format: 'json', member_id: auditor.memberId })}::jsonb, id
    from verifications where id = ${ordered} returning id, org_id`;
  const forged = { orderId, verificationId: wanted, orgId, environment: 'sandbox' } as const;
  expect(await harness.ctx.temporal.makeDossier(forged, Date.now() + 60_000)).toEqual({ state: 'gone' });
  for (const id of [ordered, wanted])
    expect((await linesOf(id)).map(({ type }) => type)).not.toContain('dossier.made');
});

test('who reaches Temporal gets no dossier: without an order nothing is made', async () => {
  const id = await created();
  const [{ org_id: orgId } = { org_id: '' }] = await harness.rows<{ org_id: string }>`
    select org_id from verifications where id = ${id}`;
  const forged = { orderId: crypto.randomUUID(), verificationId: id, orgId, environment: 'sandbox' } as const;
  expect(await harness.ctx.temporal.makeDossier(forged, Date.now() + 60_000)).toEqual({ state: 'gone' });
  expect((await linesOf(id)).map(({ type }) => type)).not.toContain('dossier.made');
});
