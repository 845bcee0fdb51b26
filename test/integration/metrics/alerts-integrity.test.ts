import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { startUpdate, taskQueues, verificationWorkflowId, workflowNames } from '#contract/workflows.ts';
import { systemClock } from '#platform/clock.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import { createCodec } from '#platform/temporal/codec.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import type { Pages } from '#test/support/documents/alerts.ts';
import { startWatched, valueIn } from './alert-stack.ts';

/** Rules of alerts.yml that ring because somebody changed what only the product may change, or because nobody would notice it. */

const ledgerKey = Buffer.alloc(32, 21);
const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
const { stack, pages, pagesWhen, ringing } = await startWatched(
  { LEDGER_KEY: ledgerKey.toString('base64'), LEDGER_DIR: folder },
  { status: 200 },
);
const connection = await Connection.connect({ address: stack.temporal.address });
const schedule = new Client({ connection }).schedule.getHandle('housekeeping');
atTheEnd(async () => {
  await connection.close();
  rmSync(folder, { recursive: true });
});

ringing(
  'LedgerUnsigned',
  'the ends of the ledger were signed 27 hours ago, and the schedule is paused',
  async (monitor) => {
    await schedule.pause();
    const at = new Date(Date.now() - 27 * 3_600_000);
    const clock = { ...systemClock, now: () => at };
    await signLedger({ store: stack.store, clock }, rootFiles(folder, createSigner([ledgerKey])));
    const unsigned = await pagesWhen((all) => valueIn(all, 'ledger_signed_seconds') > 0);
    return monitor.watch(unsigned, 130);
  },
);

ringing('LedgerBroken', 'somebody who deletes the last line of a chain that was signed', async (monitor) => {
  await stack.rows`
    delete from ledger where (subject_id, sequence) in (
      select subject_id, max(sequence) from ledger group by subject_id limit 1)`;
  await schedule.unpause();
  await schedule.trigger();
  return monitor.watch(await pagesWhen((all) => valueIn(all, 'ledger_broken_chains') > 0), 1);
});

const opened = async () =>
  (await stack.post('/v1/verifications', { sandbox: { auto_complete: false } })).json.id as string;

ringing('PayloadsRefused', 'somebody who starts a workflow in Temporal without the key', async (monitor) => {
  const workflowId = verificationWorkflowId(await opened());
  const { workflow } = new Client({ connection });
  await workflow.getHandle(workflowId).terminate('replaced');
  await workflow.start(workflowNames.verification, {
    ...{ workflowId, taskQueue: taskQueues.verifications, args: [{ verificationId: 'forged' }] },
  });
  const refused = (all: Pages) => valueIn(all, 'workflow_payloads_refused_total') > 0;
  const rang = monitor.watch(await pagesWhen(refused), 1);
  await workflow.getHandle(workflowId).terminate('ended');
  return rang;
});

ringing('OrdersRefused', 'somebody with the key who orders what no row asks for', async (monitor) => {
  const codec = createCodec(createSecrets([Buffer.alloc(32, 7)]));
  const { workflow } = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
  const handle = workflow.getHandle(verificationWorkflowId(await opened()));
  await handle.executeUpdate(startUpdate.name, { args: [{ requestId: 'req_forged' }] });
  const refused = (all: Pages) => valueIn(all, 'workflow_orders_refused_total', { order: 'start' }) > 0;
  return monitor.watch(await pagesWhen(refused), 1);
});

ringing('ProcessRestarts', 'a worker that is killed three times in an hour', async (monitor) => {
  const startedAt = (all: Pages) => valueIn({ worker: all.worker ?? [] }, 'process_start_time_seconds');
  let { worker } = stack;
  let rang: string[] = [];
  for (let kill = 1; kill <= 3; kill++) {
    const before = startedAt(await pages());
    worker.signal('SIGKILL');
    await worker.exited;
    rang = monitor.watch({ ...(await pages()), worker: [] }, 1);
    worker = await stack.startWorker();
    rang.push(...monitor.watch(await pagesWhen((all) => startedAt(all) > before), 10));
  }
  return rang;
});
