import { resolve } from 'node:path';
import { contractTrials } from '#activities/eid/try-contract.ts';
import { startServers } from '#api/servers.ts';
import { loopbackHosts } from '#contract/limits.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { StartFault } from '#platform/failures.ts';
import { portFault } from '#platform/free-port.ts';
import { createLog } from '#platform/log.ts';
import { type Running, runUntilSignal } from '#platform/process.ts';
import type { Telemetry } from '#platform/telemetry/options.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { prepareNamespace } from '#platform/temporal/namespace.ts';
import { version } from '#platform/version.ts';
import { openParts, type PartsOptions } from '#services/parts.ts';
import { type WorkflowBuild, workflowBuild } from '../bundle.ts';
import { openRoots } from '../process/ledger-roots.ts';
import { startWorkerOf } from '../process/start.ts';
import { startWorkerTelemetry } from '../process/telemetry.ts';
import { connectWorker } from '../worker.ts';
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

  const demo = await ensureDemo(product.ctx, {
    dataDir,
    onTerminal: process.stdout.isTTY,
    consoleUrl: config.console?.url,
    now: product.ctx.clock.now(),
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
  product.warn();

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

type Given = Pick<PartsOptions, 'log' | 'telemetry' | 'database' | 'simulator'> & {
  config: Config;
  dataDir: string;
  temporalAddress: string;
  workflows: WorkflowBuild;
  /** The certificate authority of `npm run listen`, as PEM. */
  listenCa: string;
};

/** Starts the worker and the API in this process. */
async function startProduct({ dataDir, temporalAddress, workflows, listenCa, ...given }: Given) {
  const { config, log } = given;
  // The worker connects first, because its connection throws a StartFault if no server answers. The connection of the API is
  // lazy.
  const connection = await connectWorker(config.temporal, temporalAddress);
  const apiConnection = await lazyConnection(config.temporal, temporalAddress);
  await prepareNamespace(apiConnection, config.temporal.namespace);
  const roots = openRoots(config.ledger ?? ownLedger(dataDir), log);
  const parts = await openParts({
    ...{ ...given, connections: [connection, apiConnection], lines: 2 },
    alsoReaches: isListener(dataDir),
  });
  const ctx = parts.contextOn(apiConnection);
  await ctx.temporal.endUnencrypted();
  const worker = await startWorkerOf(config, parts, {
    ...{ connection, roots, workflows, extraCa: () => [listenCa] },
  });
  const { banks } = worker;
  const servers = await startServers(config, parts, {
    ...{ ctx, parseReturn: banks.parseReturn },
    tryContract: contractTrials(banks, ctx.clock, isOwnMachine(config)),
  });

  return {
    ctx,
    port: servers.ports.port,
    failed: worker.failed,
    warn: parts.warn,
    async stop() {
      await servers.stop();
      await worker.stop();
      await parts.close();
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
