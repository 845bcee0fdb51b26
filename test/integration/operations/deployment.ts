import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import { processorMsOf } from '#test/bench/parts/processes.ts';
import { runbookBlocks } from '#test/support/documents/shell-blocks.ts';
import { queryAt } from '#test/support/servers/database.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import {
  postgresPrograms,
  postgresProgramsMissing,
  startFullPostgres,
} from '#test/support/servers/full-postgres.ts';
import { startTestTemporal } from '#test/support/servers/temporal.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { findTemporal } from '#worker/standalone/temporal/temporal.ts';
import { runShell, type Service, startService } from './page.ts';

export const blocks = runbookBlocks();
/** The names of the blocks that were executed. */
export const executed = new Set<string>();

/** Says why the commands cannot be executed. Undefined if they can. */
export const missing =
  postgresProgramsMissing ??
  (spawnSync('curl', ['--version']).status === 0 ? undefined : 'curl is not installed');

export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/**
 * Starts real servers, and runs the commands of docs/operations.md and of the pages beside it on them, as an operator would. Temporal
 * keeps its data in a file, so that it can be put back.
 */
export async function startDeployment() {
  const folder = mkdtempSync(join(tmpdir(), 'runbook-'));
  chmodSync(folder, 0o711);
  const temporalFile = join(folder, 'temporal.db');
  const startTemporal = () => startTestTemporal(folder, { dbFile: temporalFile });
  const [postgres, firstTemporal] = await Promise.all([startFullPostgres(folder), startTemporal()]);
  await queryAt(`${postgres.url}/postgres`, 'create database verification');
  let temporal = firstTemporal;
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, inject('receiverTls').ca);
  const commandLine = dirname(
    await findTemporal({ cacheDir: defaultCacheDir(process.env), say: () => undefined }),
  );
  const urlAs = (role: string) => `${postgres.url.replace('postgres@', `${role}:p@`)}/verification`;
  const env: NodeJS.ProcessEnv = {
    PATH: [postgresPrograms, commandLine, process.env.PATH].join(':'),
    HOME: folder,
    PORT: String(port),
    CONSOLE_PORT: String(await freePort()),
    PUBLIC_URL: url,
    SUPERUSER_URL: postgres.url,
    OWNER_PASSWORD: 'p',
    APP_PASSWORD: 'p',
    HOUSEKEEPING_PASSWORD: 'p',
    DATABASE_URL: urlAs('verification_app'),
    OWNER_DATABASE_URL: urlAs('verification_owner'),
    HOUSEKEEPING_DATABASE_URL: urlAs('verification_housekeeping'),
    TEMPORAL_ADDRESS: temporal.address,
    BACKUPS: folder,
    LEDGER_DIR: join(folder, 'ledger'),
    LEDGER_KEY: Buffer.alloc(32, 21).toString('base64'),
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: caFile,
  };
  let api: Service | undefined;
  let worker: Service | undefined;

  return {
    env,
    url,
    /** Runs a block, which must end with one of these exit codes. */
    async run(name: string, own: NodeJS.ProcessEnv = {}, codes: number[] = [0]): Promise<string> {
      const { status, output } = await runShell(codeOf(name), { ...env, ...own });
      expect(codes, `${name} ended with ${status}:\n${output}`).toContain(status);
      return output;
    },
    async startAll(own: { api?: NodeJS.ProcessEnv; worker?: NodeJS.ProcessEnv } = {}) {
      api = await startService(codeOf('api'), { ...env, ...own.api }, 'API listens');
      worker = await startService(codeOf('worker'), { ...env, ...own.worker }, 'worker runs');
    },
    async stopAll() {
      expect([await api?.stop(), await worker?.stop()]).toEqual([0, 0]);
    },
    /** The processor time of each part since its start, in seconds. */
    processorSeconds() {
      const pids = {
        api: api?.pid ?? 0,
        worker: worker?.pid ?? 0,
        temporal: temporal.pid,
        postgres: postgres.pid,
      };
      const parts = Object.entries(processorMsOf(pids));
      return Object.fromEntries(parts.map(([part, ms]) => [part, ms / 1_000]));
    },
    query: (statement: string) => queryAt(`${postgres.url}/verification`, statement),
    dropDatabase: () => queryAt(`${postgres.url}/postgres`, 'drop database verification with (force)'),

    temporalFile,
    /** Stops Temporal, does the work on its files, and starts it again on another port. */
    async withoutTemporal(work: () => void) {
      await temporal.stop();
      work();
      temporal = await startTemporal();
      env.TEMPORAL_ADDRESS = temporal.address;
    },

    async stop() {
      for (const service of [api, worker]) service?.kill();
      await Promise.all([temporal.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function codeOf(name: string): string {
  const block = blocks.find((each) => each.name === name);
  if (block === undefined) throw new Error(`the runbook has no block ${name}`);
  executed.add(name);
  return block.code;
}
