import { join } from 'node:path';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { freeze } from './freeze.ts';
import { startProxy } from './proxy.ts';
import { startTestTemporal } from './temporal.ts';

type Server = { pid: number; exited: Promise<unknown>; stop(): Promise<void> };

/** Puts a proxy before a server, so that it has the same address after it was killed and started again. */
async function mortal<S extends Server>(start: () => Promise<S>, portOf: (server: S) => number) {
  let server = await start();
  const proxy = await startProxy(() => portOf(server));
  return {
    server,
    port: proxy.port,
    async kill() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    /** Does something while the server stands still, as it does for a power cut. */
    frozen(work: () => void) {
      const goOn = freeze(server.pid);
      work();
      goOn();
    },
    async start() {
      server = await start();
    },
    async stop() {
      proxy.stop();
      await server.stop();
    },
  };
}

/** A Temporal server that a test kills and starts again. It keeps its address, and all that it has promised to store is in `dbFile`. */
export async function startMortalTemporal(folder: string) {
  const dbFile = join(folder, 'temporal.db');
  const temporal = await mortal(
    () => startTestTemporal(folder, { dbFile }),
    ({ address }) => Number(new URL(`tcp://${address}`).port),
  );
  return { ...temporal, dbFile, address: `127.0.0.1:${temporal.port}` };
}

/** A Postgres and a Temporal server that a test kills and starts again. Each keeps its address and all that it has promised to store. */
export async function startMortalServers(folder: string) {
  const dataDir = join(folder, 'data');
  const [postgres, temporal] = await Promise.all([
    mortal(
      () => startPostgres({ dataDir, durable: true, say: () => undefined }),
      ({ port }) => port,
    ),
    startMortalTemporal(folder),
  ]);
  const url = new URL(postgres.server.url);
  url.port = String(postgres.port);
  return {
    postgres: { ...postgres, url: String(url) },
    temporal,
  };
}
export type MortalServers = Awaited<ReturnType<typeof startMortalServers>>;
