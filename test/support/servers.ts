import { chmod, mkdir, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '#store/database/migrate.ts';
import { makeRoles } from '#store/database/roles.ts';
import { bundleWorkflows } from '#worker/bundle.ts';
import { ensureListenCa, issueServerCertificate } from '#worker/standalone/certificates.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { isTaken } from '#worker/standalone/processes.ts';
import { plantedSuffix, runFolderVariable } from './leaks.ts';
import { startTestTemporal } from './servers/temporal.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database for its superuser. */
    databaseUrl: string;
    /** The database for the roles of the product. */
    roleUrls: Record<'owner' | 'app' | 'housekeeping', string>;
    /** The folder for the logs of all parts that tests start. */
    logFolder: string;
    temporalAddress: string;
    workflows: { buildId: string; bundle: { codePath: string } };
    receiverTls: { ca: string; cert: string; key: string };
  }
}

const say = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Starts one Postgres, one Temporal server and one workflow bundle for all test files. Each file has its own database and queues.
 */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const place = await quickestPlace();
  if (place === inMemory) await removeLeftovers();
  const folder = await mkdtemp(join(place, `verification-tests-${process.pid}-`));
  // If this runs as root, Postgres runs as another user, which must be able to enter this folder.
  await chmod(folder, 0o711);
  const logFolder = join(folder, 'logs');
  await mkdir(logFolder);
  const [postgres, temporal, { buildId, bundle }, { cert: ca }] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'data'), durable: false, say }),
    startTestTemporal(folder, { say }),
    bundleWorkflows(),
    ensureListenCa(folder),
  ]);
  const roleUrls = await makeRoles(postgres.url);
  await migrate(roleUrls.owner);
  const passwords = [postgres.url, ...Object.values(roleUrls)].map((url) => new URL(url).password);
  await writeFile(join(logFolder, `servers${plantedSuffix}`), JSON.stringify(passwords));
  process.env[runFolderVariable] = folder;
  // Programs that tests start one after another need not be compiled each time.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const codePath = join(folder, 'workflows.js');
  await writeFile(codePath, bundle.code);

  project.provide('databaseUrl', postgres.url);
  project.provide('roleUrls', roleUrls);
  project.provide('logFolder', logFolder);
  project.provide('temporalAddress', temporal.address);
  project.provide('workflows', { buildId, bundle: { codePath } });
  project.provide('receiverTls', {
    ca,
    ...(await issueServerCertificate(folder, ['localhost', '127.0.0.1', 'hooks.partner.example'])),
  });

  return async () => {
    await Promise.all([temporal.stop(), postgres.stop()]);
    const logsAreClean = process.env[runFolderVariable] === undefined;
    await (logsAreClean ? rm(folder, { recursive: true, force: true }) : removeBulk(folder));
  };
}

const inMemory = '/dev/shm';
const roomBytes = 8 * 2 ** 30;

/**
 * A folder in memory, where there is room for the largest tests. Postgres makes a copy of the database for each test file there in a tenth of
 * the time that some disks need.
 */
async function quickestPlace(): Promise<string> {
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem()) >= roomBytes ? inMemory : tmpdir();
}

/** Removes what a run takes most room for. Its logs stay, for whoever looks for the fault. */
async function removeBulk(folder: string): Promise<void> {
  for (const name of ['data', 'compiled']) await rm(join(folder, name), { recursive: true, force: true });
}

/** A run that was killed removes nothing, and in memory that would stay until the machine starts again. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(inMemory)) {
    const [, pid] = /^verification-tests-(\d+)-/.exec(name) ?? [];
    // What belongs to another user stays.
    if (pid !== undefined && !isTaken(Number(pid)))
      await removeBulk(join(inMemory, name)).catch(() => undefined);
  }
}
