import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import { ColumnNames } from './column-names.ts';
import { keepStatements } from './kept-statements.ts';
import { migrationsList } from './migrations/list.ts';
import { entities } from './schema.ts';

export type Store = {
  db: Db;
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** State of the pool: connections in use and idle, the maximum, and the number of callers that wait. */
  connections(): { used: number; idle: number; max: number; awaited: number };
  close(): Promise<void>;
};

export async function openStore(url: string, poolMax = 10, statementTimeoutMs = 2_000): Promise<Store> {
  let pool: DriverPool | undefined;
  const onPool = (created: DriverPool) => {
    pool = created;
  };
  const orm = await openOrm(url, { poolMax, statementTimeoutMs, onPool });
  const db = orm.em.fork().getKysely().withPlugin(new ColumnNames()) as unknown as Db;
  return {
    db,
    transaction: (work) => db.transaction().execute(work),
    connections() {
      const { totalCount = 0, idleCount: idle = 0, waitingCount: awaited = 0 } = pool ?? {};
      return { used: totalCount - idle, idle, max: poolMax, awaited };
    },
    close: () => orm.close(true),
  };
}

export async function ping({ db }: Pick<Store, 'db'>): Promise<void> {
  await db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
}

type Settings = { poolMax: number; statementTimeoutMs: number; onPool?: (pool: DriverPool) => void };

/** A `statementTimeoutMs` of 0 means no time-out. */
export const openOrm = (url: string, { poolMax, statementTimeoutMs, onPool }: Settings) =>
  MikroORM.init<PostgreSqlDriver, EntityManager<PostgreSqlDriver>, typeof entities>({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    // Its messages contain values; errors reach the caller anyway.
    logger: () => undefined,
    forceUtcTimezone: true,
    // Each migration is a transaction of its own, so none holds the locks of another.
    migrations: {
      ...{ migrationsList, snapshot: false, tableName: 'migrations' },
      ...{ transactional: true, allOrNothing: false },
    },
    pool: { min: 0, max: poolMax },
    driverOptions: {
      application_name: 'verification-service',
      connectionTimeoutMillis: 3_000,
      statement_timeout: statementTimeoutMs,
      // The server's own time-out does not work if the server hangs.
      query_timeout: statementTimeoutMs * 1.5,
      keepAlive: true,
      onPoolCreated(pool: DriverPool) {
        pool.on('connect', prepare);
        pool.on('release', (_, client) => endUnlessIdle(client));
        onPool?.(pool);
      },
    },
  });

declare const em: Awaited<ReturnType<typeof openOrm>>['em'];

/** Typed SQL, on any connection or on that of a transaction. Columns have the names of the entities. */
export type Db = ReturnType<typeof em.getKysely<undefined, { columnNamingStrategy: 'property' }>>;

type DriverPool = {
  on(event: 'connect', use: (client: DriverClient) => void): unknown;
  on(event: 'release', use: (error: unknown, client: DriverClient) => void): unknown;
  totalCount: number;
  idleCount: number;
  waitingCount: number;
};

type DriverClient = {
  query(text: unknown, values: unknown, ...rest: unknown[]): unknown;
  setTypeParser(oid: number, parse: (text: string) => unknown): void;
  readyForQuery: boolean;
  /** `I`: idle, outside any transaction. */
  getTransactionStatus(): string | null;
  end(): Promise<void>;
};

const timestamptz = 1184;

function prepare(client: DriverClient): void {
  client.setTypeParser(timestamptz, (text) => new Date(text));
  keepStatements(client);
}

/** After a time-out a connection is not used again: its answer is still to come, and its transaction may be open. */
function endUnlessIdle(client: DriverClient): void {
  if (!client.readyForQuery || client.getTransactionStatus() !== 'I') void client.end();
}
