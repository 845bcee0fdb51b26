import { resolve } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { exitCodes, faultCodeOf, StartFault } from '#platform/failures.ts';
import { migrate } from '#store/database/migrate.ts';
import { makeRoles } from '#store/database/roles.ts';
import { defaultCacheDir } from './cache-dir.ts';
import { ensureKey } from './key-file.ts';
import { startPostgres } from './postgres/postgres.ts';
import { cliSearchAttributes } from './temporal/search-attributes.ts';
import { findTemporal, startTemporal } from './temporal/temporal.ts';

type Say = (line: string) => void;

const never = new Promise<never>(() => undefined);
const nothingToStop = async () => undefined;

/** Uses the configured database, or starts a Postgres in the data directory. Then brings the schema up to date. */
export async function databaseFor(config: Config, dataDir: string, say: Say) {
  if (config.databaseUrl !== undefined) {
    if (config.secretsKeys === undefined)
      throw new StartFault(
        'SECRETS_KEY is not set: with a database of your own, give 32 random bytes in base64.',
        exitCodes.config,
      );
    const { databaseUrl: url, ownerDatabaseUrl: ownerUrl = url, housekeepingDatabaseUrl } = config;
    await migrate(ownerUrl).catch((error: unknown) => {
      throw databaseFault(error);
    });
    return {
      ...{ url, ownerUrl, housekeepingUrl: housekeepingDatabaseUrl },
      ...{ secretsKeys: config.secretsKeys, died: never, stop: nothingToStop },
    };
  }
  const postgres = await startPostgres({ dataDir, durable: true, say, locked: true });
  const { owner, app, housekeeping } = await makeRoles(postgres.url);
  await migrate(owner);
  return {
    ...{ url: app, ownerUrl: owner, housekeepingUrl: housekeeping },
    secretsKeys: config.secretsKeys ?? [ensureKey(dataDir, 'secrets-key')],
    died: whenGone('Postgres', 'postgres.log', postgres.exited),
    stop: postgres.stop,
  };
}

/** Turns an unreachable database or a refused connection into a StartFault. Returns any other error unchanged. */
function databaseFault(error: unknown): unknown {
  if (faultCodeOf(error) === 'database_unavailable')
    return new StartFault('No Postgres answers. Is it running, and is DATABASE_URL right?');
  const refused = ['28000', '28P01', '3D000'].includes(String((error as { code?: unknown }).code));
  return refused
    ? new StartFault('Postgres refuses the connection: check user, password and database in DATABASE_URL.')
    : error;
}

/** Uses the configured Temporal server, or starts a server here. */
export async function temporalFor({ temporal, temporalUiPort, cacheDir }: Config, dataDir: string, say: Say) {
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
    throw new StartFault(`${what} ended unexpectedly (${how}): see the end of ${logName} in DATA_DIR.`);
  });
  gone.catch(() => undefined);
  return gone;
}
