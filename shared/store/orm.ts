import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import {
  CamelCasePlugin,
  type CompiledQuery,
  type OperationNodeSource,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  sql,
  type UnknownRow,
} from 'kysely';
import { migrationsList } from './migrations/list.ts';
import { entities } from './schema.ts';

const timestamptz = 1184;
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

function onPoolCreated(pool: DriverPool): void {
  pool.on('connect', (client) => {
    client.setTypeParser(timestamptz, (text) => new Date(text));
    keepStatements(client);
  });
  // After a time-out its answer is still to come, and perhaps the end of its transaction: nobody may use it again.
  pool.on('release', (_, client) => {
    if (!client.readyForQuery || client.getTransactionStatus() !== 'I') void client.end();
  });
}

/** The driver keeps what has a name; Kysely has no place to say one. */
function keepStatements(client: DriverClient): void {
  const query = client.query.bind(client);
  client.query = (text, values, ...rest) => {
    const name = typeof text === 'string' ? statementNames.get(text) : undefined;
    return name === undefined ? query(text, values, ...rest) : query({ name, text }, values, ...rest);
  };
}

/** Typed SQL gets times as Date, as the entities do; the driver alone would leave them as text. */
async function openOrm(
  url: string,
  settings: { poolMax: number; statementTimeoutMs: number; onPool?: (pool: DriverPool) => void },
) {
  return MikroORM.init<PostgreSqlDriver, EntityManager<PostgreSqlDriver>, typeof entities>({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    // Its messages quote values; errors reach the caller anyway.
    logger: () => undefined,
    forceUtcTimezone: true,
    // Each in a transaction of its own, so that none holds the locks of another.
    migrations: {
      ...{ migrationsList, snapshot: false, tableName: 'migrations' },
      ...{ transactional: true, allOrNothing: false },
    },
    pool: { min: 0, max: settings.poolMax },
    driverOptions: {
      application_name: 'verification-service',
      connectionTimeoutMillis: 3_000,
      statement_timeout: settings.statementTimeoutMs,
      // The server's own time-out does not help against a server that hangs.
      query_timeout: settings.statementTimeoutMs * 1.5,
      keepAlive: true,
      onPoolCreated(pool: DriverPool) {
        onPoolCreated(pool);
        settings.onPool?.(pool);
      },
    },
  });
}

type Orm = Awaited<ReturnType<typeof openOrm>>;
declare const em: Orm['em'];

/** Typed SQL, on any connection or on that of a transaction; columns are named as the entities name them. */
export type Db = ReturnType<typeof em.getKysely<undefined, { columnNamingStrategy: 'property' }>>;

/**
 * Columns named as the entities name them; what is written as SQL keeps the names it says. MikroORM's own plugin looks up
 * its metadata for every query and row, which was a seventh of a read's time.
 */
class EntityNames extends CamelCasePlugin {
  readonly #raw = new WeakSet<object>();

  override transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    if (args.node.kind === 'RawNode') this.#raw.add(args.queryId);
    return super.transformQuery(args);
  }

  override async transformResult(args: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return this.#raw.has(args.queryId) ? args.result : super.transformResult(args);
  }

  /** A row holds columns and no further rows, so there is nothing to look for inside its values. */
  protected override mapRow(row: UnknownRow): UnknownRow {
    const renamed: UnknownRow = {};
    for (const column in row) renamed[this.camelCase(column)] = row[column];
    return renamed;
  }
}

const queriesOf = (orm: Orm): Db => orm.em.fork().getKysely().withPlugin(new EntityNames()) as unknown as Db;

/** The clock of the running transaction: what is written in it happened then (decision 37). */
export const transactionTime = sql<Date>`now()`.as('now');

export type Store = {
  db: Db;
  /** Commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Connections that are open, and how many callers wait for one. */
  connections(): { used: number; idle: number; max: number; awaited: number };
  close(): Promise<void>;
};

export async function openStore(url: string, poolMax = 10, statementTimeoutMs = 2_000): Promise<Store> {
  let pool: DriverPool | undefined;
  const onPool = (created: DriverPool) => {
    pool = created;
  };
  const orm = await openOrm(url, { poolMax, statementTimeoutMs, onPool });
  const db = queriesOf(orm);
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

/** Stands in a compiled query where a value will be. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/**
 * A query of the hot path, built and compiled once instead of for each run (a tenth of a read's processor time), and planned
 * once by each connection. `build` is given places for its values, so what it builds must not depend on them; and it names its
 * columns, since what is planned with all columns fails once a migration has added one.
 */
export function compiledOnce<Values extends Record<string, unknown>, Row>(
  build: (db: Db, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Db, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    // Queries of one turn are sent one after the other: the first wakes a processor for Postgres, the others find it awake.
    await endOfTurn();
    compiled ??= prepared(build(db, places as Values).compile());
    const parameters = compiled.parameters.map((each) => (each instanceof Place ? values[each.name] : each));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** Names of the statements that each connection keeps. */
const statementNames = new Map<string, string>();

function prepared<Row>(compiled: CompiledQuery<Row>): CompiledQuery<Row> {
  if (/(select |"\.)\*/.test(compiled.sql)) throw new Error('a statement that is kept must name its columns');
  if (!statementNames.has(compiled.sql)) statementNames.set(compiled.sql, `kept_${statementNames.size}`);
  return compiled;
}

/** A write that is built and not yet carried out. */
export type Write = OperationNodeSource;

/**
 * Several writes as one statement: one way to the database and back. None of them sees what another writes. Connections keep
 * the statement, so its text must not depend on values, nor on how many there are.
 */
export async function writeAtOnce(tx: Db, writes: readonly Write[]): Promise<void> {
  const named = writes.map((write, i) => sql`${sql.ref(`write_${i}`)} as (${write})`);
  await tx.executeQuery(prepared(sql`with ${sql.join(named)} select 1`.compile(tx)));
}

const migrationLock = 7_126_190_311;

/** Brings the schema up to date. Several processes may call it at once: an advisory lock lets one through at a time. */
export async function migrate(url: string): Promise<string[]> {
  const orm = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0 });
  try {
    return await orm.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [migrationLock]);
      const done = await orm.migrator.up();
      return done.map((migration) => migration.name);
    });
  } finally {
    await orm.close(true);
  }
}

/** The statements that would make the database equal to the entities: none, when migrations and entities agree. */
export async function schemaDifference(url: string): Promise<string> {
  const orm = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0 });
  try {
    return await orm.schema.getUpdateSchemaSQL({ wrap: false });
  } finally {
    await orm.close(true);
  }
}
