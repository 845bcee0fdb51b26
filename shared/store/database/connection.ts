import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import { type Kysely, sql } from 'kysely';
import { migrationsList } from '../migrations/list.ts';
import { ColumnNames } from './column-names.ts';
import { keepStatements } from './kept-statements.ts';
import { type LineClient, openLines } from './lines.ts';
import { entities } from './schema.ts';
import { tlsOf } from './tls.ts';

export type Store = {
  db: Db;
  /** For single reads of one row or one page, outside any transaction. */
  reads: Db;
  /** Commits if `work` resolves, and rolls back if `work` rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** The numbers of connections, lines included. `awaited` is the number of callers that wait for one of the pool. */
  connections(): { used: number; idle: number; max: number; awaited: number };
  close(): Promise<void>;
};

type StoreOptions = { statementTimeoutMs?: number; lines?: number };

/** `connectionsMax` includes the lines, of which an API has some. */
export async function openStore(
  url: string,
  connectionsMax = 10,
  { statementTimeoutMs = 2_000, lines: lineCount = 0 }: StoreOptions = {},
): Promise<Store> {
  let pool: DriverPool | undefined;
  const onPool = (created: DriverPool) => {
    pool = created;
  };
  const lockTimeoutMs = statementTimeoutMs * 0.75;
  const poolMax = connectionsMax - lineCount;
  const orm = await openOrm(url, { poolMax, statementTimeoutMs, lockTimeoutMs, onPool });
  const pooled = orm.em.fork().getKysely();
  const lines = openLines(lineCount, () => lineClient(pool), pooled);
  // A query may be compiled for one and executed by the other.
  const names = new ColumnNames();
  const named = (db: unknown) => (db as Kysely<unknown>).withPlugin(names) as unknown as Db;
  const db = named(pooled);
  return {
    db,
    reads: named(lines.db),
    transaction: (work) => db.transaction().execute(work),
    connections() {
      const { totalCount = 0, idleCount = 0, waitingCount: awaited = 0 } = pool ?? {};
      const { used, idle } = lines.connections();
      return { used: totalCount - idleCount + used, idle: idleCount + idle, max: connectionsMax, awaited };
    },
    close: async () => void (await Promise.all([lines.close(), orm.close(true)])),
  };
}

/** Two purges at once are enough. Without a URL, the role of the product purges. */
export const openHousekeeping = async (url: string | undefined): Promise<Store | undefined> =>
  url === undefined ? undefined : openStore(url, 2);

/** Says whether the database takes writes. A standby does not. */
export async function takesWrites({ db }: Pick<Store, 'db'>): Promise<boolean> {
  const { rows } = await sql<{
    setting: string;
  }>`select current_setting('transaction_read_only') as setting`.execute(db);
  return rows[0]?.setting === 'off';
}

type Settings = {
  poolMax: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  onPool?: (pool: DriverPool) => void;
  /** Later migrations, for a test of how they run. */
  migrations?: typeof migrationsList;
};

/**
 * If a machine vanishes in the middle of a transaction, it closes no socket, and its locks would stay for two hours. Therefore
 * Postgres ends a connection whose transaction is idle for 5 s, or whose machine does not answer for 20 to 25 s.
 */
const idleInTransactionMs = 5_000;
const tcpTimeouts =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=20000';

/** If `statementTimeoutMs` is 0, statements have no time-out. A wait for a lock still ends after `lockTimeoutMs`. */
export const openOrm = async (
  url: string,
  { poolMax, statementTimeoutMs, lockTimeoutMs, onPool, migrations = migrationsList }: Settings,
) => {
  const ssl = tlsOf(url);
  return MikroORM.init<PostgreSqlDriver, EntityManager<PostgreSqlDriver>, typeof entities>({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    // The log messages of the ORM contain values, so they are dropped. Errors still reach the caller.
    logger: () => undefined,
    forceUtcTimezone: true,
    // Each migration runs in its own transaction, so no migration holds the locks of an earlier migration.
    migrations: {
      ...{ migrationsList: migrations, snapshot: false, tableName: 'migrations' },
      ...{ transactional: true, allOrNothing: false },
    },
    // Migrations write the functions and triggers of the database.
    schemaGenerator: { ignoreRoutines: true, ignoreTriggers: true },
    pool: { min: 0, max: poolMax },
    driverOptions: {
      application_name: 'verification-service',
      connectionTimeoutMillis: 3_000,
      statement_timeout: statementTimeoutMs,
      // If the server hangs, it does not enforce its own time-out. So the driver has a time-out too.
      query_timeout: statementTimeoutMs * 1.5,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      options: [process.env.PGOPTIONS, tcpTimeouts].filter(Boolean).join(' '),
      keepAlive: true,
      ...(ssl !== undefined && { ssl }),
      onPoolCreated(pool: DriverPool) {
        pool.on('connect', prepare);
        pool.on('release', (_, client) => endUnlessIdle(client));
        onPool?.(pool);
      },
    },
  });
};

declare const em: Awaited<ReturnType<typeof openOrm>>['em'];

/** Typed SQL on a connection of the pool or in a transaction. Columns have the names of the entities' properties. */
export type Db = ReturnType<typeof em.getKysely<undefined, { columnNamingStrategy: 'property' }>>;

type DriverPool = {
  on(event: 'connect', use: (client: DriverClient) => void): unknown;
  on(event: 'release', use: (error: unknown, client: DriverClient) => void): unknown;
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  /** How to connect. The password is not enumerable. */
  options: { password?: unknown };
  Client: new (settings: object) => DriverClient & LineClient;
};

type DriverClient = {
  on(event: 'error', handle: () => void): unknown;
  query(text: unknown, values: unknown, ...rest: unknown[]): unknown;
  setTypeParser(oid: number, parse: (text: string) => unknown): void;
  readyForQuery: boolean;
  /** Returns `I` if the connection is idle and outside any transaction. */
  getTransactionStatus(): string | null;
  end(): Promise<void>;
};

const timestamptz = 1184;

function prepare(client: DriverClient): void {
  // If Postgres ends a connection between two queries, the next query fails. Without this listener, the event `error` would end the
  // process.
  client.on('error', () => undefined);
  client.setTypeParser(timestamptz, (text) => new Date(text));
  keepStatements(client);
}

/** A line connects as the connections of the pool do. */
function lineClient(pool: DriverPool | undefined): LineClient {
  if (pool === undefined) throw new Error('the driver has no pool');
  const { password } = pool.options;
  const client = new pool.Client({ ...pool.options, password, pipeline: true });
  prepare(client);
  return client;
}

/**
 * Closes a connection that is not idle, for example after a time-out. Its answer may still arrive, and its transaction may be
 * open.
 */
function endUnlessIdle(client: DriverClient): void {
  if (!client.readyForQuery || client.getTransactionStatus() !== 'I') void client.end();
}
