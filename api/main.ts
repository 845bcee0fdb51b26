import { startBanks } from '#activities/eid/banks.ts';
import { contractTrials } from '#activities/eid/try-contract.ts';
import { type Config, readConfig, requireExternal } from '#platform/config/config.ts';
import { createLog } from '#platform/log.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { startTelemetry } from '#platform/telemetry/start.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import type { Context } from '#services/context.ts';
import { openParts } from '#services/parts.ts';
import { startServers } from './servers.ts';

/**
 * Starts the API process. Several API processes may run at once. The fault tests use `decorate` to end the process at chosen calls.
 */
export async function startApiProcess(
  config: Config,
  decorate: (ctx: Context) => Context = (ctx) => ctx,
): Promise<Running> {
  const { databaseUrl: url, temporalAddress, secretsKeys } = requireExternal(config);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const telemetry = await startTelemetry({ config, process: 'api', log });
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const parts = await openParts({
    ...{ config, log, telemetry, connections: [connection], lines: 2 },
    database: { url, secretsKeys },
  });
  const ctx = decorate(parts.contextOn(connection));
  const banks = startBanks({ ...parts.isolated, addresses: ctx.addresses, clock: ctx.clock });
  const servers = await startServers(config, parts, {
    ...{ ctx, parseReturn: banks.parseReturn, tryContract: contractTrials(banks, ctx.clock) },
  });
  parts.warn();
  log.info({ host: config.host, ...servers.ports, metrics_port: telemetry.port }, 'API listens');

  return {
    async stop() {
      await servers.stop();
      await banks.close();
      await parts.close();
      log.info('API stopped');
    },
  };
}

if (import.meta.main)
  await runUntilSignal(async () => startApiProcess(readConfig(process.env, process.stdout.isTTY)));
