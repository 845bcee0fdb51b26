import { type Config, readConfig, requireExternal } from '#platform/config/config.ts';
import { createLog } from '#platform/log.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import { openParts } from '#services/parts.ts';
import { workflowBuild } from './bundle.ts';
import { openRoots } from './process/ledger-roots.ts';
import { startWorkerOf } from './process/start.ts';
import { startWorkerTelemetry } from './process/telemetry.ts';
import { connectWorker } from './worker.ts';

/**
 * Starts the worker process, which runs the sweep and the workflows and activities of all queues. The fault tests use `decorate`
 * to break parts of the context.
 */
export async function startWorkerProcess(
  config: Config,
  decorate?: (ctx: DeliveryContext) => DeliveryContext,
): Promise<Running> {
  const { databaseUrl: url, temporalAddress: temporal, secretsKeys } = requireExternal(config);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const telemetry = await startWorkerTelemetry({ config, process: 'worker', log });
  const workflows = await workflowBuild({ traced: telemetry.traced });
  const connection = await connectWorker(config.temporal, temporal);
  const roots = openRoots(config.ledger, log);
  const parts = await openParts({
    ...{ config, log, telemetry, connections: [connection], lines: 0 },
    database: { url, housekeepingUrl: config.housekeepingDatabaseUrl, secretsKeys },
  });
  const worker = await startWorkerOf(config, parts, { connection, roots, workflows, decorate });
  parts.warn();
  const { namespace } = parts;
  log.info({ temporal, namespace, build: workflows.buildId, metrics_port: telemetry.port }, 'worker runs');

  return {
    failed: worker.failed,
    async stop() {
      await worker.stop();
      await parts.close();
      log.info('worker stopped');
    },
  };
}

if (import.meta.main)
  await runUntilSignal(async () => startWorkerProcess(readConfig(process.env, process.stdout.isTTY)));
