import { resolve } from 'node:path';
import { startDocumentReader } from '#activities/checks/document/reader.ts';
import { startApi } from '#api/server.ts';
import { addressRules } from '#platform/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/crypto.ts';
import { createEngine } from '#platform/engine.ts';
import { exitCodes, faultCodeOf, StartFault } from '#platform/failures.ts';
import { portFault } from '#platform/free-port.ts';
import { createLog, warnOfAllowedAddresses } from '#platform/log.ts';
import { createSender } from '#platform/outbound-http.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import { createRateLimits } from '#platform/rate-limits.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { prepareNamespace } from '#platform/temporal-namespace.ts';
import { version } from '#platform/version.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { openStore } from '#store/connection.ts';
import { watchConnections } from '#store/figures.ts';
import { migrate } from '#store/migrate.ts';
import { workflowBundle } from '../bundle.ts';
import { startWorkerTelemetry } from '../telemetry.ts';
import { connectWorker, startWorker } from '../worker.ts';
import { defaultCacheDir } from './cache-dir.ts';
import { ensureListenCa } from './certificates.ts';
import { prepareDataDir } from './data-dir.ts';
import { ensureDemoKey } from './first-run.ts';
import { lockDataDir } from './lock.ts';
import { startPostgres } from './postgres.ts';
import { readListenerFile, removeRunFile, writeRunFile } from './run-file.ts';
import { cliSearchAttributes } from './search-attributes.ts';
import { ensureSecretsKey } from './secrets-key.ts';
import { findTemporal, startTemporal } from './temporal.ts';
import { welcome } from './welcome.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Everything on one machine: what the configuration names is used, what it leaves empty is started here. */
async function start(): Promise<Running> {
  const startedMs = performance.now();
  const config = readConfig(process.env, process.stdout.isTTY);
  await requireFreePort(config.port, config.host);
  const dataDir = prepareDataDir(resolve(config.dataDir));
  const unlock = await lockDataDir(dataDir);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const telemetry = await startWorkerTelemetry({
    config,
    process: 'standalone',
    log,
    unserved: ({ message }) => say(`No metrics: ${message}`),
  });
  const { instruments, traced } = telemetry;

  const [database, temporal, bundle, listenCa] = await Promise.all([
    ownOrGivenDatabase(config, dataDir),
    ownOrGivenTemporal(config, dataDir),
    workflowBundle({ traced }),
    ensureListenCa(dataDir),
  ]);

  // First, for it says in plain words when no server answers.
  const workerConnection = await connectWorker(config.temporal, temporal.address);
  const apiConnection = await lazyConnection(config.temporal, temporal.address);
  await prepareNamespace(apiConnection, config.temporal.namespace);
  const store = await openStore(database.url);
  watchConnections(instruments, store);
  const addresses = addressRules(config.webhookAllowAddresses, isListener(dataDir));
  const sender = createSender({ rules: addresses, extraCa: () => [listenCa.cert] });
  const shared = {
    store,
    clock: systemClock,
    secrets: createSecrets(database.secretsKeys),
    addresses,
    publicUrl: config.publicUrl,
    instruments,
  };
  const { namespace } = config.temporal;
  const documents = startDocumentReader();
  const worker = await startWorker({
    connection: workerConnection,
    namespace,
    log,
    workflowBundle: bundle,
    traced,
    documents,
    ctx: {
      ...shared,
      engine: createEngine(workerConnection, { namespace, eagerDeliveries: true, traced }),
      sender,
      retryWaitsMs,
    },
  });
  const engine = createEngine(apiConnection, { namespace, traced });
  const rateLimits = await createRateLimits({ redisUrl: config.redisUrl, log });
  const api = await startApi({
    ctx: { ...shared, engine },
    log,
    rateLimits,
    trustProxy: config.trustProxy,
    mcpAllowedOrigins: config.mcpAllowedOrigins,
    host: config.host,
    port: config.port,
  });

  const demoKey = await ensureDemoKey(store, dataDir, process.stdout.isTTY);
  writeRunFile(dataDir, {
    pid: process.pid,
    started_at: systemClock.now().toISOString(),
    port: api.port,
    database_url: database.url,
    temporal_address: temporal.address,
    public_url: config.publicUrl,
  });
  say(
    welcome({
      version,
      seconds: ((performance.now() - startedMs) / 1_000).toFixed(1),
      url: `http://localhost:${api.port}`,
      uiUrl: temporal.uiUrl,
      metricsUrl:
        telemetry.port === undefined ? null : `http://${config.metrics.host}:${telemetry.port}/metrics`,
      dataDir: config.dataDir,
      demoKey,
    }),
  );
  warnOfAllowedAddresses(config, log);

  return {
    failed: Promise.race([worker.failed, database.died, temporal.died]),
    async stop() {
      say('Stopping…');
      removeRunFile(dataDir);
      await api.stop();
      rateLimits.stop();
      await worker.stop();
      await Promise.all([documents.close(), sender.close()]);
      await telemetry.stop();
      await Promise.allSettled([store.close(), workerConnection.close(), apiConnection.close()]);
      await temporal.stop();
      await database.stop();
      unlock();
      say('Stopped.');
    },
  };
}

async function requireFreePort(port: number, host: string): Promise<void> {
  const fault = await portFault(port);
  if (fault === 'EADDRINUSE')
    throw new StartFault(
      `Port ${port} on ${host} is in use: stop what uses it, or choose another with PORT.`,
    );
}

const never = new Promise<never>(() => undefined);
const nothingToStop = async () => undefined;

async function ownOrGivenDatabase(config: Config, dataDir: string) {
  if (config.databaseUrl !== undefined) {
    if (config.secretsKeys === undefined)
      throw new StartFault(
        'SECRETS_KEY is not set: with a database of your own, give 32 random bytes in base64.',
        exitCodes.config,
      );
    await migrate(config.databaseUrl).catch((error: unknown) => {
      throw databaseFault(error);
    });
    return { url: config.databaseUrl, secretsKeys: config.secretsKeys, died: never, stop: nothingToStop };
  }
  const postgres = await startPostgres({ dataDir, durable: true, say, locked: true });
  await migrate(postgres.url);
  return {
    url: postgres.url,
    secretsKeys: config.secretsKeys ?? [ensureSecretsKey(dataDir)],
    died: whenGone('Postgres', 'postgres.log', postgres.exited),
    stop: postgres.stop,
  };
}

/** A given database that cannot be used, as one plain line; errors of any other kind stay what they are. */
function databaseFault(error: unknown): unknown {
  if (faultCodeOf(error) === 'database_unavailable')
    return new StartFault('No Postgres answers. Is it running, and is DATABASE_URL right?');
  const refused = ['28000', '28P01', '3D000'].includes(String((error as { code?: unknown }).code));
  return refused
    ? new StartFault('Postgres does not let us in: are user, password and database in DATABASE_URL right?')
    : error;
}

async function ownOrGivenTemporal({ temporal, temporalUiPort, cacheDir }: Config, dataDir: string) {
  if (temporal.address !== undefined)
    return { address: temporal.address, uiUrl: null, died: never, stop: nothingToStop };
  const binary = await findTemporal({ cacheDir: cacheDir ?? defaultCacheDir(process.env), say });
  const server = await startTemporal({
    binary,
    dbFile: resolve(dataDir, 'temporal.db'),
    uiPort: temporalUiPort,
    logFile: resolve(dataDir, 'temporal.log'),
    searchAttributes: cliSearchAttributes,
    namespace: temporal.namespace,
    say,
  });
  const { address, uiUrl, stop } = server;
  return { address, uiUrl, died: whenGone('The Temporal server', 'temporal.log', server.exited), stop };
}

function whenGone(what: string, logName: string, exited: Promise<unknown>): Promise<never> {
  const gone = exited.then((how) => {
    throw new StartFault(`${what} ended by itself (${how}); its last words are in ${logName} of DATA_DIR.`);
  });
  gone.catch(() => undefined);
  return gone;
}

/** The one private address that deliveries may reach without being told: that of `npm run listen`, while it runs. */
function isListener(dataDir: string) {
  return (address: string, port: number): boolean => {
    const listener = readListenerFile(dataDir);
    return listener !== undefined && listener.host === address && listener.port === port;
  };
}

await runUntilSignal(start);
