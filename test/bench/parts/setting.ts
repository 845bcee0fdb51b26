import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { ensureListenCa, issueServerCertificate } from '#worker/standalone/certificates.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { cliSearchAttributes } from '#worker/standalone/temporal/search-attributes.ts';
import { findTemporal, startTemporal, type Temporal } from '#worker/standalone/temporal/temporal.ts';
import { ask, say, startChild, stops } from './programs.ts';
import type { Arrival } from './receiver.ts';

/** The servers of a bench: Postgres, Temporal, and an authority for the certificates of receivers. They stop with the bench. */
export type Setting = Awaited<ReturnType<typeof startSetting>>;

export async function startSetting(name: string, { namespace }: { namespace?: string } = {}) {
  const folder = await newFolder(name);
  const postgres = await startPostgres({ dataDir: join(folder, 'servers'), durable: true, say });
  stops.push(postgres.stop);
  const temporal = await startServer(folder, namespace);
  const { cert: ca, certFile: caFile } = await ensureListenCa(folder);
  return { folder, postgres, temporal, ca, caFile };
}

/** A Temporal server in a folder, which stops with the bench. */
export async function startServer(folder: string, namespace?: string): Promise<Temporal> {
  const temporal = await startTemporal({
    binary: await findTemporal({ cacheDir: defaultCacheDir(process.env), say }),
    dbFile: join(folder, 'temporal.db'),
    uiPort: null,
    logFile: join(folder, 'temporal.log'),
    searchAttributes: cliSearchAttributes,
    say,
    ...(namespace !== undefined && { namespace }),
  });
  stops.push(temporal.stop);
  return temporal;
}

/** A folder that is removed at the end. */
export async function newFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  // If this runs as root, Postgres runs as another user, which must be able to enter this folder.
  await chmod(folder, 0o711);
  return folder;
}

/** A partner's server. `take` returns the arrivals since the last call and removes them. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver({ folder }: Setting) {
  const issued = await issueServerCertificate(folder, ['localhost', '127.0.0.1']);
  const files = [join(folder, 'receiver.pem'), join(folder, 'receiver.key')] as const;
  await writeFile(files[0], issued.cert);
  await writeFile(files[1], issued.key, { mode: 0o600 });
  const { child, ready } = await startChild(new URL('./receiver.ts', import.meta.url), [...files]);
  return {
    pid: child.pid ?? 0,
    url: (path: string) => `https://localhost:${ready}${path}`,
    take: () => ask(child, { take: true }) as Promise<Arrival[]>,
  };
}
