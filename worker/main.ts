import { type Config, readConfig, requireExternal } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createLog, warnOfAllowedAddresses } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { createSender } from '#platform/outbound/http.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import { openHousekeeping, openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { watchConnections } from '#store/database/metrics.ts';
import { warnOfRights } from '#store/database/roles.ts';
import { workflowBuild } from './bundle.ts';
import { startEngines } from './process/engines.ts';
import { openRoots } from './process/ledger-roots.ts';
import { startWorkerTelemetry } from './process/telemetry.ts';
import { connectWorker, startWorker } from './worker.ts';

/**
 * Starts the worker process, which runs the sweep and the workflows and activities of all queues. The fault tests use `decorate`
 * to break parts of the context.
 */
export async function startWorkerProcess(
  config: Config,
  decorate: (ctx: DeliveryContext) => DeliveryContext = (ctx) => ctx,
): Promise<Running> {
  const { databaseUrl, temporalAddress, secretsKeys } = requireExternal(config);
  const { namespace } = config.temporal;
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const telemetry = await startWorkerTelemetry({ config, process: 'worker', log });
  const { instruments, traced } = telemetry;
  const workflows = await workflowBuild({ traced });
  const connection = await connectWorker(config.temporal, temporalAddress);
  const store = await openStore(databaseUrl, config.databaseConnections);
  const housekeepingStore = await openHousekeeping(config.housekeepingDatabaseUrl);
  watchConnections(instruments, store);
  const clock = await startDatabaseClock({ store, log, instruments });
  const addresses = addressRules(config.webhookAllowAddresses);
  const sender = createSender({ rules: addresses });
  const roots = openRoots(config.ledger, log);
  const isolated = { isolation: await findIsolation(log), log, instruments };
  const engines = startEngines(isolated, { addresses, clock, income: config.income });
  const secrets = createSecrets(secretsKeys);
  const worker = await startWorker({
    connection,
    namespace,
    log,
    workflows,
    traced,
    ...engines.parts,
    roots,
    housekeepingStore,
    turns: config.turns,
    ctx: decorate({
      store,
      temporal: createTemporalClient(connection, { namespace, secrets, eagerDeliveries: true, traced }),
      clock,
      secrets,
      addresses,
      publicUrl: config.publicUrl,
      instruments,
      sender,
      retryWaitsMs,
    }),
  });
  warnOfAllowedAddresses(config, log);
  warnOfRights(store, log);
  const { buildId: build } = workflows;
  log.info({ temporal: temporalAddress, namespace, build, metrics_port: telemetry.port }, 'worker runs');

  return {
    failed: worker.failed,
    async stop() {
      await worker.stop();
      await Promise.all([engines.close(), sender.close()]);
      await telemetry.stop();
      clock.stop();
      await Promise.allSettled([store.close(), housekeepingStore?.close(), connection.close()]);
      log.info('worker stopped');
    },
  };
}

if (import.meta.main)
  await runUntilSignal(async () => startWorkerProcess(readConfig(process.env, process.stdout.isTTY)));
