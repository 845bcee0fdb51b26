import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { freePort, portFault } from '#platform/free-port.ts';
import { type Child, spawnChild } from '../child-process.ts';
import { cannotCreate, makeFolder } from '../data-dir.ts';
import { faultIn, sizeOf, trimLog, writtenSince } from '../server-log.ts';
import flags from '../temporal-flags.json' with { type: 'json' };

export { findTemporal } from './find.ts';

export type Temporal = {
  address: string;
  uiUrl: string | null;
  pid: number;
  exited: Promise<number | string>;
  stop(): Promise<void>;
};

export type TemporalOptions = {
  binary: string;
  /** If null, the server keeps everything in memory, for tests. */
  dbFile: string | null;
  /** If null, the server starts no web UI. */
  uiPort: number | null;
  logFile: string;
  /** The type of each attribute (such as `Keyword`) by its name. */
  searchAttributes: Readonly<Record<string, string>>;
  say: (line: string) => void;
  namespace?: string;
};

const startAttempts = 3;
const readyMsMax = 60_000;
const stopGraceMs = 15_000;

/** Starts a Temporal server on loopback. Resolves when the server answers and has registered the search attributes. */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { dbFile, uiPort, logFile } = options;
  if (uiPort !== null) await requireFree(uiPort);
  try {
    for (const file of [logFile, ...(dbFile === null ? [] : [dbFile])]) makeFolder(dirname(file));
    trimLog(logFile);
    const { server, address } = await serve(options);
    return {
      address,
      uiUrl: uiPort === null ? null : `http://localhost:${uiPort}`,
      pid: server.pid,
      exited: server.exited,
      stop: () => server.stop('SIGTERM', stopGraceMs),
    };
  } catch (error) {
    throw cannotCreate(dirname(logFile), 'DATA_DIR', error);
  }
}

async function requireFree(uiPort: number): Promise<void> {
  const fault = await portFault(uiPort);
  if (fault === undefined) return;
  const reason = fault === 'EADDRINUSE' ? 'is already in use' : `cannot be listened on (${fault})`;
  throw new StartFault(
    `Port ${uiPort} for Temporal's web UI ${reason}: choose another with TEMPORAL_UI_PORT.`,
  );
}

/** Starts the server on a free port. If another process takes that port first, tries another port. */
async function serve(options: TemporalOptions): Promise<{ server: Child; address: string }> {
  const { binary, logFile, say } = options;
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const address = `127.0.0.1:${port}`;
    const logOffset = sizeOf(logFile);
    const server = spawnChild({ command: binary, args: startDev(options, port), logFile });
    const fault = await whyNotReady(server, address, options);
    if (fault === undefined) return { server, address };
    await server.stop('SIGTERM', stopGraceMs);
    if (/address already in use/i.test(writtenSince(logFile, logOffset)) && attempt < startAttempts) {
      say('A port was taken meanwhile: starting the Temporal server on another one');
      continue;
    }
    throw new StartFault(
      `The Temporal server ${fault} (${faultIn(logFile, logOffset) ?? 'no reason given'}). Its log: ${logFile}`,
      exitCodes.unavailable,
    );
  }
}

export function startDev(
  {
    dbFile,
    uiPort,
    searchAttributes,
    namespace,
  }: Pick<TemporalOptions, 'dbFile' | 'uiPort' | 'searchAttributes' | 'namespace'>,
  port: number,
): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
    ...(uiPort === null
      ? ['--headless']
      : ['--ui-ip', '127.0.0.1', '--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...(dbFile === null
      ? []
      : [
          '--db-filename',
          dbFile,
          ...each('--sqlite-pragma', { journal_mode: 'wal', synchronous: 'normal' }),
        ]),
    ...each('--search-attribute', searchAttributes),
    ...each('--dynamic-config-value', dynamicConfig),
  ];
}

const each = (flag: string, values: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${value}`]);

/**
 * Settings of the server. `temporal-flags.json` has the format of a dynamic configuration file, and docker-compose.yml uses the
 * same file. A queue has one partition, because fairness is exact only with one partition. The task processors of the server may
 * poll more often than by default. The default of 20 times a second would delay each task by up to 50 ms. Time skipping is for
 * tests only, so it is not in the file.
 */
export const dynamicConfig: Readonly<Record<string, number | boolean>> = {
  ...Object.fromEntries(Object.entries(flags).map(([name, [flag]]) => [name, flag?.value])),
  'frontend.WorkflowTimeSkippingEnabled': true,
};

/** Waits until a query over the search attributes works, which is the last step of a start. Returns the fault, if any. */
async function whyNotReady(
  server: Child,
  address: string,
  options: TemporalOptions,
): Promise<string | undefined> {
  const { searchAttributes, namespace = 'default' } = options;
  const query = Object.keys(searchAttributes)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  for (const deadline = Date.now() + readyMsMax; Date.now() < deadline; await pause(50)) {
    if (!server.running) return 'gave up';
    if (await answers(address, namespace, query)) return undefined;
  }
  return `did not answer within ${readyMsMax / 1000} s`;
}

async function answers(address: string, namespace: string, query: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 1000 });
    try {
      await connection.withDeadline(Date.now() + 2000, () =>
        connection.workflowService.countWorkflowExecutions({ namespace, query }),
      );
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}
