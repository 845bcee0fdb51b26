import type { Config } from '#platform/config/config.ts';
import { createSender } from '#platform/outbound/http.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import type { Parts } from '#services/parts.ts';
import { startWorker, type WorkerParts } from '../worker.ts';
import { startEngines } from './engines.ts';

type Given = Pick<WorkerParts, 'connection' | 'roots' | 'workflows'> & {
  /** Certificate authorities (PEM) of receivers that are trusted in addition to those of Node. */
  extraCa?: () => readonly string[];
  decorate?: ((ctx: DeliveryContext) => DeliveryContext) | undefined;
};

/** Starts the worker of a process, with what examines and sends for it. */
export async function startWorkerOf(
  config: Config,
  { log, traced, namespace, isolated, housekeepingStore, contextOn }: Parts,
  { connection, roots, workflows, extraCa = () => [], decorate = (ctx) => ctx }: Given,
) {
  // Deliveries start eagerly only by the connection of the worker.
  const ctx = contextOn(connection, { eagerDeliveries: true });
  const sender = createSender({ rules: ctx.addresses, extraCa });
  const engines = startEngines(isolated, { ...ctx, income: config.income });
  const worker = await startWorker({
    ...{ connection, namespace, log, workflows, traced, roots, housekeepingStore },
    ...{ engines: engines.parts, turns: config.turns },
    ctx: decorate({ ...ctx, sender, retryWaitsMs }),
  });
  return {
    failed: worker.failed,
    banks: engines.parts.banks,
    async stop() {
      await worker.stop();
      await Promise.all([engines.close(), sender.close()]);
    },
  };
}
