import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { atBank, press, simulatedBanks } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

/** What the worker that leads does by itself about banks: nobody calls its functions here. */

const { banks, agree, fails, simulator } = await simulatedBanks();
const log = new PassThrough();
let logged = '';
log.on('data', (chunk) => (logged += chunk));
const harness = await startHarness({ banks, logTo: log });
const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
await agree(harness.ctx, 'Acme');

const waiting = { timeout: 60_000, interval: 200 };

/** While no worker runs, a day and an hour pass since the acquirer named its banks, of which it had none then. */
async function listGrowsOld(): Promise<void> {
  await harness.stopWorker();
  await harness.rows`
    update eid_contracts set issuers = '[]'::jsonb, issuers_at = now() - interval '25 hours'`;
}
const listed = async () =>
  (
    await harness.rows<{ issuers: unknown; isFresh: boolean }>`
      select issuers, issuers_at > now() - interval '1 hour' as "isFresh" from eid_contracts`
  )[0];

test('the worker that leads asks for a list of banks that is a day old', async () => {
  await listGrowsOld();
  await harness.startWorker();
  await vi.waitFor(async () => {
    expect(await listed()).toEqual({ issuers: simulator.issuers, isFresh: true });
  }, waiting);
});

test('a list that is refused leaves the old one, and the log names organisation and reason', async () => {
  await listGrowsOld();
  await fails('bad-bank-id', 'directory');
  await harness.startWorker();
  const line = await vi.waitFor(
    () => /^.*named no banks.*$/m.exec(logged)?.[0] ?? expect.unreachable('no line yet'),
    waiting,
  );
  expect(JSON.parse(line)).toMatchObject({ organisation: partner.organisationId, reason: 'schema' });
  expect(await listed()).toEqual({ issuers: [], isFresh: false });
});

test('the worker that leads ends a visit whose run was lost, and the person is approved', async () => {
  await agree(harness.ctx, 'Acme');
  const created = await call(harness, 'POST', '/v1/verifications', {
    ...{ key: partner.key, body: { method: 'idin' } },
  });
  const { id, verify_url: url } = created.json;
  const user = person(harness, url);
  await user.start();
  await press(await atBank(user), { choice: 'success', persona: 'plain' });
  await harness.stopWorker();
  await harness.temporal.workflow.getHandle(`verification/${id}`).terminate();
  await harness.rows`
    update eid_transactions set next_ask_at = now() - interval '3 minutes' where verification_id = ${id}`;
  await harness.startWorker();
  await vi.waitFor(async () => {
    const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key: partner.key });
    expect(json.verdict).toMatchObject({ outcome: 'approved', assurance_level: 'substantial' });
  }, waiting);
  expect(await harness.rows`select status from eid_transactions where verification_id = ${id}`).toEqual([
    { status: 'success' },
  ]);
});
