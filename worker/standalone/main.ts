import { resolve } from 'node:path';
import { contractTrials } from '#activities/eid/try-contract.ts';
import { startConsoleOf } from '#api/console/start.ts';
import { startApi } from '#api/server.ts';
import type { OpenContract } from '#contract/eid.ts';
import { loopbackHosts } from '#contract/limits.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { StartFault } from '#platform/failures.ts';
import { portFault } from '#platform/free-port.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { createLog, type Log, warnOfAllowedAddresses } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { createSender } from '#platform/outbound/http.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import type { Telemetry } from '#platform/telemetry/options.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { prepareNamespace } from '#platform/temporal/namespace.ts';
import { version } from '#platform/version.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { openHousekeeping, openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { watchConnections } from '#store/database/metrics.ts';
import { warnOfRights } from '#store/database/roles.ts';
import { type WorkflowBuild, workflowBuild } from '../bundle.ts';
import { startEngines } from '../process/engines.ts';
import { openRoots } from '../process/ledger-roots.ts';
import { startWorkerTelemetry } from '../process/telemetry.ts';
import { connectWorker, startWorker } from '../worker.ts';
import { ensureListenCa } from './certificates.ts';
import { prepareDataDir } from './data-dir.ts';
import { ensureDemo } from './first-run.ts';
import { startBeside } from './idin-simulator/beside.ts';
import { ensureKey, ledgerDirIn } from './key-file.ts';
import { lockDataDir } from './lock.ts';
import { databaseFor, temporalFor } from './own-servers.ts';
import { readListener, removeRunFile, writeRunFile } from './run-file.ts';
import { welcome } from './welcome.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Starts everything on one machine. Uses the servers that the configuration names, and starts the missing servers here. */
async function start(): Promise<Running> {
  const startedMs = performance.now();
  const config = readConfig(process.env, process.stdout.isTTY);
  await requireFreePorts(config);
  const dataDir = prepareDataDir(resolve(config.dataDir));
  const unlock = await lockDataDir(dataDir);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const unserved = ({ message }: StartFault) => say(`No metrics: ${message}`);
  const telemetry = await startWorkerTelemetry({ config, process: 'standalone', log, unserved });

  const [database, temporal, workflows, listenCa, simulator] = await Promise.all([
    databaseFor(config, dataDir, say),
    temporalFor(config, dataDir, say),
    workflowBuild({ traced: telemetry.traced }),
    ensureListenCa(dataDir),
    simulatorFor(config, dataDir),
  ]);
  const product = await startProduct({
    ...{ config: { ...config, temporalUiUrl: config.temporalUiUrl ?? temporal.uiUrl ?? undefined } },
    ...{ dataDir, log, telemetry, database, workflows },
    temporalAddress: temporal.address,
    listenCa: listenCa.cert,
    simulator: simulator?.contract,
  });

  const demo = await ensureDemo(product, {
    dataDir,
    onTerminal: process.stdout.isTTY,
    consoleUrl: config.console?.url,
    now: product.clock.now(),
    simulator: simulator?.contract,
  });
  writeRunFile(dataDir, {
    ...{ pid: process.pid, started_at: systemClock.now().toISOString() },
    ...{ port: product.port, public_url: config.publicUrl, console_url: config.console?.url ?? null },
    ...{ database_url: database.url, owner_database_url: database.ownerUrl },
    temporal_address: temporal.address,
  });
  say(
    welcome({
      version,
      seconds: ((performance.now() - startedMs) / 1_000).toFixed(1),
      url: `http://localhost:${product.port}`,
      uiUrl: temporal.uiUrl,
      metricsUrl: metricsUrlOf(telemetry, config),
      dataDir: config.dataDir,
      consoleUrl: config.console?.url ?? null,
      simulatorUrl: simulator?.url ?? null,
      demo,
    }),
  );
  warnOfAllowedAddresses(config, log);
  warnOfRights(product.store, log);

  return {
    failed: Promise.race([product.failed, database.died, temporal.died]),
    async stop() {
      say('Stopping…');
      removeRunFile(dataDir);
      await product.stop();
      await simulator?.close();
      await temporal.stop();
      await database.stop();
      unlock();
      say('Stopped.');
    },
  };
}

const simulatorFor = async ({ idinSimulatorPort: wanted }: Config, dataDir: string) =>
  wanted === 'off' ? undefined : startBeside({ dataDir, wanted });

const metricsUrlOf = ({ port }: Telemetry, { metrics }: Config) =>
  port === undefined ? null : `http://${metrics.host}:${port}/metrics`;

async function requireFreePorts({ port, host, console }: Config): Promise<void> {
  await requireFreePort(port, host, 'PORT');
  if (console !== undefined) await requireFreePort(console.port, host, 'CONSOLE_PORT');
}

async function requireFreePort(port: number, host: string, name: string): Promise<void> {
  const fault = await portFault(port);
  if (fault === 'EADDRINUSE')
    throw new StartFault(
      `Port ${port} on ${host} is in use: stop what uses it, or choose another with ${name}.`,
    );
}

type ProductParts = {
  config: Config;
  dataDir: string;
  log: Log;
  telemetry: Telemetry;
  database: { url: string; housekeepingUrl: string | undefined; secretsKeys: readonly Buffer[] };
  temporalAddress: string;
  workflows: WorkflowBuild;
  /** The certificate authority of `npm run listen`, as PEM. */
  listenCa: string;
  simulator: OpenContract | undefined;
};

/** Starts the worker and the API in this process. */
async function startProduct(parts: ProductParts) {
  const { config, dataDir, log, telemetry, database, temporalAddress, workflows, listenCa } = parts;
  const { instruments, traced } = telemetry;
  const { namespace } = config.temporal;
  // The worker connects first, because its connection throws a StartFault if no server answers. The connection of the API is
  // lazy.
  const workerConnection = await connectWorker(config.temporal, temporalAddress);
  const apiConnection = await lazyConnection(config.temporal, temporalAddress);
  await prepareNamespace(apiConnection, namespace);
  const store = await openStore(database.url, config.databaseConnections, { lines: 2 });
  const housekeepingStore = await openHousekeeping(database.housekeepingUrl);
  watchConnections(instruments, store);
  const clock = await startDatabaseClock({ store, log, instruments });
  const addresses = addressRules(config.webhookAllowAddresses, isListener(dataDir));
  const sender = createSender({ rules: addresses, extraCa: () => [listenCa] });
  const secrets = createSecrets(database.secretsKeys);
  const shared = {
    store,
    clock,
    secrets,
    addresses,
    ...{ publicUrl: config.publicUrl, instruments, simulator: parts.simulator },
  };
  const workerTemporal = createTemporalClient(workerConnection, {
    ...{ namespace, secrets, traced },
    eagerDeliveries: true,
  });
  await workerTemporal.endUnencrypted();
  const roots = openRoots(config.ledger ?? ownLedger(dataDir), log);
  const isolated = { isolation: await findIsolation(log), log, instruments };
  const engines = startEngines(isolated, { addresses, clock, income: config.income });
  const worker = await startWorker({
    ...{ connection: workerConnection, namespace, log, workflows, traced, roots },
    ...engines.parts,
    housekeepingStore,
    turns: config.turns,
    ctx: { ...shared, temporal: workerTemporal, sender, retryWaitsMs },
  });
  const decoder = createPictureDecoder(isolated);
  const rateLimits = await createRateLimits({ redisUrl: config.redisUrl, log });
  const { trustProxy, mcpAllowedOrigins, host, port } = config;
  const ctx = { ...shared, temporal: createTemporalClient(apiConnection, { namespace, secrets, traced }) };
  const api = await startApi({
    ...{ ctx, log, rateLimits, decoder, trustProxy, mcpAllowedOrigins, host, port },
    parseReturn: engines.parts.banks.parseReturn,
    consoleUrl: config.console?.url,
  });
  const consoleServer = await startConsoleOf(config, {
    ...{ ctx, log, decoder, tryContract: contractTrials(engines.parts.banks, clock, isOwnMachine(config)) },
  });

  return {
    ...{ store, secrets, clock },
    port: api.port,
    failed: worker.failed,
    async stop() {
      await Promise.all([api.stop(), consoleServer?.stop()]);
      rateLimits.stop();
      await decoder.close();
      await worker.stop();
      await Promise.all([engines.close(), sender.close()]);
      await telemetry.stop();
      clock.stop();
      const stores = [store, housekeepingStore].map((each) => each?.close());
      await Promise.allSettled([...stores, workerConnection.close(), apiConnection.close()]);
    },
  };
}

/** True if nobody else reaches the console, so whoever is in it may name addresses of this machine. */
const isOwnMachine = ({ host, console }: Config): boolean =>
  [host, new URL(console?.url ?? 'http://localhost').hostname].every(
    (each) => each === '::1' || loopbackHosts.includes(each),
  );

/** The key and the folder of a machine that has neither. To keep the roots apart, set LEDGER_KEY and LEDGER_DIR. */
const ownLedger = (dataDir: string) => ({
  keys: [ensureKey(dataDir, 'ledger-key')],
  dir: ledgerDirIn(dataDir),
});

/** Deliveries may reach `npm run listen` while it runs, although its address is private. */
function isListener(dataDir: string) {
  return (address: string, port: number): boolean => readListener(dataDir, port)?.host === address;
}

await runUntilSignal(start);
