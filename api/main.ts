import { startBanks } from '#activities/eid/banks.ts';
import { contractTrials } from '#activities/eid/try-contract.ts';
import { type Config, readConfig, requireExternal } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { createLog, warnOfAllowedAddresses } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { startTelemetry } from '#platform/telemetry/start.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import type { Context } from '#services/context.ts';
import { openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { watchConnections } from '#store/database/metrics.ts';
import { warnOfRights } from '#store/database/roles.ts';
import { startConsoleOf } from './console/start.ts';
import { startApi } from './server.ts';

/**
 * Starts the API process. Several API processes may run at once. The fault tests use `decorate` to end the process at chosen calls.
 */
export async function startApiProcess(
  config: Config,
  decorate: (ctx: Context) => Context = (ctx) => ctx,
): Promise<Running> {
  const { databaseUrl, temporalAddress, secretsKeys } = requireExternal(config);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const telemetry = await startTelemetry({ config, process: 'api', log });
  const { instruments, traced } = telemetry;
  const store = await openStore(databaseUrl, config.databaseConnections, { lines: 2 });
  watchConnections(instruments, store);
  const clock = await startDatabaseClock({ store, log, instruments });
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const rateLimits = await createRateLimits({ redisUrl: config.redisUrl, log });
  const isolation = await findIsolation(log);
  const decoder = createPictureDecoder({ isolation, log, instruments });
  const secrets = createSecrets(secretsKeys);
  const addresses = addressRules(config.webhookAllowAddresses);
  const banks = startBanks({ isolation, log, instruments, addresses, clock });
  const ctx = decorate({
    store,
    temporal: createTemporalClient(connection, { namespace: config.temporal.namespace, secrets, traced }),
    clock,
    secrets,
    addresses,
    publicUrl: config.publicUrl,
    instruments,
  });
  const api = await startApi({
    log,
    rateLimits,
    decoder,
    parseReturn: banks.parseReturn,
    trustProxy: config.trustProxy,
    mcpAllowedOrigins: config.mcpAllowedOrigins,
    host: config.host,
    port: config.port,
    consoleUrl: config.console?.url,
    ctx,
  });
  const consoleServer = await startConsoleOf(config, {
    ...{ ctx, log, decoder, tryContract: contractTrials(banks, clock) },
  });
  warnOfAllowedAddresses(config, log);
  warnOfRights(store, log);
  log.info(
    { host: config.host, port: api.port, console_port: consoleServer?.port, metrics_port: telemetry.port },
    'API listens',
  );

  return {
    async stop() {
      await Promise.all([api.stop(), consoleServer?.stop()]);
      rateLimits.stop();
      await Promise.all([decoder.close(), banks.close()]);
      await telemetry.stop();
      clock.stop();
      await Promise.allSettled([store.close(), connection.close()]);
      log.info('API stopped');
    },
  };
}

if (import.meta.main)
  await runUntilSignal(async () => startApiProcess(readConfig(process.env, process.stdout.isTTY)));
