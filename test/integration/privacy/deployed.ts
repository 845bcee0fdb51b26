import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { type Deployment, startDeployment } from '#test/integration/operations/deployment.ts';
import { runShell } from '#test/integration/operations/page.ts';
import { call } from '#test/support/harness.ts';
import { postgresPrograms } from '#test/support/servers/full-postgres.ts';
import { spellingsIn } from './markers.ts';

export type Markers = Record<string, string | Buffer>;

/** The names of the markers that occur in these bytes, in whatever spelling. */
export const found = (markers: Markers, bytes: Buffer): string[] =>
  Object.entries(markers)
    .filter(([, marker]) => spellingsIn(bytes, marker))
    .map(([name]) => name)
    .sort();

export type DeployedProduct = Awaited<ReturnType<typeof startProduct>>;

/**
 * API and worker on real servers with their roles, and an organisation Acme with a key of live.
 */
export async function startProduct() {
  const deployment = await startDeployment();
  deployment.env.SECRETS_KEY = (await deployment.run('make-key')).trim();
  await deployment.run('roles');
  await deployment.run('migrate');
  await deployment.startAll();
  const key: string = JSON.parse(
    await commandOf(deployment, 'keys -- create --org Acme --environment live --json'),
  ).key;
  return {
    deployment,
    /** Runs a command of the product. Returns what it prints. */
    command: (words: string) => commandOf(deployment, words),
    ask: (method: 'GET' | 'POST', path: string, body?: object, headers = {}) =>
      call({ url: deployment.url }, method, path, { key, body, headers }),
    backup: (file: string) => readFileSync(join(deployment.env.BACKUPS ?? '', file)),
    dump: () =>
      execFileSync(join(postgresPrograms ?? '', 'pg_dump'), [`${deployment.env.OWNER_DATABASE_URL}`], {
        maxBuffer: 1 << 28,
      }),
    /**
     * Stops everything. Returns the logs of all processes, and what Temporal has on disk, with its write-ahead log. `test` is the folder
     * and the name of the test file, as the names of its logs have them.
     */
    async remains(test: string) {
      await deployment.stopAll();
      const logs = logsOf(deployment, test);
      let temporal = Buffer.alloc(0);
      await deployment.withoutTemporal(() => {
        temporal = Buffer.concat(globSync(`${deployment.temporalFile}*`).map((file) => readFileSync(file)));
      });
      return { logs, temporal };
    },
  };
}

async function commandOf({ env }: Deployment, words: string): Promise<string> {
  const { status, output } = await runShell(`npm run --silent ${words}`, env);
  expect(status, output).toBe(0);
  return output;
}

/** The logs of all processes of the test file, and those of the servers. */
function logsOf({ env }: Deployment, test: string): Buffer {
  const home = env.HOME ?? '';
  const ofProcesses = globSync(`test-integration-${test}*.log`, { cwd: inject('logFolder') });
  const ofServers = globSync('*.log', { cwd: home });
  expect([ofProcesses.length, ofServers.length]).toEqual([expect.toSatisfy((n) => n > 1), 2]);
  return Buffer.concat([
    ...ofProcesses.map((file) => readFileSync(join(inject('logFolder'), file))),
    ...ofServers.map((file) => readFileSync(join(home, file))),
  ]);
}

/** Makes the dossier of a verification with the commands of the runbook, and checks it. */
export async function checkedDossier({ deployment, backup }: DeployedProduct, id: string): Promise<Buffer> {
  const own = { VERIFICATION_ID: id };
  await deployment.run('dossier', own);
  const folder = deployment.env.LEDGER_DIR ?? '';
  const PUBLIC_KEY = join(folder, globSync('*.pem', { cwd: folder })[0] ?? '');
  expect(await deployment.run('verify-dossier', { ...own, PUBLIC_KEY })).toContain('VALID: all ');
  return backup('dossier.json');
}
