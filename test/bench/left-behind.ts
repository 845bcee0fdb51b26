import { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { type Creator, runRound } from './creates.ts';
import { median } from './parts/figures.ts';
import { memoryMbOf } from './parts/processes.ts';
import type { Product } from './parts/product.ts';
import { say } from './parts/programs.ts';
import type { Receiver, Setting } from './parts/setting.ts';
import type { Line } from './parts/table.ts';

/** Measures the history that a verification with one delivery leaves in Temporal: bytes and number of events. */
export async function benchBytes(
  setting: Setting,
  { store }: Product,
): Promise<{ lines: Line[]; historyBytes: number }> {
  const client = new Client({
    connection: await lazyConnection(
      { address: setting.temporal.address, namespace: 'default', tls: undefined, apiKey: undefined },
      setting.temporal.address,
    ),
  });
  const { rows: some } = await sql<{ verification: string; delivery: string }>`
    select e.verification_id as verification, d.id as delivery from deliveries d join events e on e.id = d.event_id
    where d.status = 'delivered' order by d.created_at desc limit 50`.execute(store.db);
  const sizeOf = async (workflowId: string) => {
    const { historySize, historyLength } = await client.workflow.getHandle(workflowId).describe();
    return { bytes: historySize ?? 0, events: historyLength };
  };
  const sizes = await Promise.all(
    some.map(async ({ verification, delivery }) => [
      await sizeOf(verificationWorkflowId(verification)),
      await sizeOf(deliveryWorkflowId(delivery)),
    ]),
  );
  await client.connection.close();
  const [ofVerification, ofDelivery] = [0, 1].map((n) => ({
    bytes: median(sizes.map((both) => both[n]?.bytes ?? 0)),
    events: median(sizes.map((both) => both[n]?.events ?? 0)),
  }));
  const line = {
    what: "bytes of Temporal's history, verification and its delivery",
    ours: `${ofVerification?.bytes} + ${ofDelivery?.bytes}`,
    beside: `${ofVerification?.events} + ${ofDelivery?.events} events`,
  };
  return { lines: [line], historyBytes: (ofVerification?.bytes ?? 0) + (ofDelivery?.bytes ?? 0) };
}

const tableBytes = async ({ store }: Product): Promise<number> => {
  const { rows } = await sql<{ bytes: string }>`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(store.db);
  return Number(rows[0]?.bytes);
};

const createsSoFar = async ({ store }: Product): Promise<number> => {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from ledger where type = 'verification.created'`.execute(store.db);
  return Number(rows[0]?.n);
};

const roundMax = 1_000;

/** Measures the memory of each process after so many creates, and the bytes that each create left in the database. */
export async function benchMemory(
  product: Product,
  { creator, receiver, createsInAll }: { creator: Creator; receiver: Receiver; createsInAll: number },
): Promise<{ lines: Line[]; rowBytes: number }> {
  say(`Until there are ${createsInAll} creates, 1 endpoint:`);
  const memory = () =>
    Object.entries(creator.pids)
      .map(([name, pid]) => `${name} ${memoryMbOf(pid).toFixed(0)}`)
      .join(', ');
  const [before, already, bytesBefore] = [memory(), await createsSoFar(product), await tableBytes(product)];
  let made = already;
  for (; made < createsInAll; made = await createsSoFar(product))
    await runRound(creator, receiver, { inFlight: 10, count: Math.min(createsInAll - made, roundMax) });
  const rowBytes = ((await tableBytes(product)) - bytesBefore) / Math.max(made - already, 1);
  const lines = [
    { what: `memory, MB, after ${already} creates`, ours: before, beside: '' },
    { what: `memory, MB, after ${made} creates`, ours: memory(), beside: '' },
    {
      what: 'bytes of the database for each create with one delivery, indexes included',
      ours: rowBytes.toFixed(0),
      beside: '',
    },
  ];
  return { lines, rowBytes };
}
