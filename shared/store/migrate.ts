import { setTimeout as pause } from 'node:timers/promises';
import { openOrm } from './connection.ts';
import { grantRights } from './roles.ts';

type Orm = Awaited<ReturnType<typeof openOrm>>;

/**
 * If a change of a table waits longer for its lock, the migration fails and can be repeated. While it waits, all later queries of
 * that table wait too.
 */
const lockTimeoutMs = 5_000;

const migrationLock = 7_126_190_311;

const askAgainMs = 500;
const notIdleMs = 1_000;

/** Shows Postgres that a transaction is not idle. It takes no snapshot, unlike a SELECT. */
export const notIdleQuery = 'show transaction_isolation';

/**
 * Applies all pending migrations, and gives the roles their rights. Several processes may call this function at once, because an advisory lock admits one process
 * at a time.
 */
export const migrate = (url: string): Promise<string[]> =>
  withOrm(url, async (orm) => {
    for (;;) {
      const done = await migrateIfFree(orm);
      if (done !== undefined) return done;
      await pause(askAgainMs);
    }
  });

/**
 * Returns undefined if another process has the lock. The build of an index waits for the end of each transaction that has a snapshot at
 * that moment. So a process that asks for the lock asks in a transaction that ends, and the one that has the lock takes no snapshot
 * during a build.
 */
const migrateIfFree = (orm: Orm): Promise<string[] | undefined> =>
  orm.em.fork().transactional(async (em) => {
    if (!(await tryLock(em))) return undefined;
    // Postgres ends an idle transaction, so a process that vanished or hangs loses the lock. This timer keeps the transaction of a
    // working process from being idle.
    const notIdle = setInterval(() => void em.execute(notIdleQuery).catch(() => undefined), notIdleMs);
    try {
      const done = await orm.migrator.up();
      await grantRights((statement, values) => em.execute(statement, values));
      return done.map((migration) => migration.name);
    } finally {
      clearInterval(notIdle);
    }
  });

async function tryLock(em: Pick<Orm['em'], 'execute'>): Promise<boolean> {
  const [row] = await em.execute('select pg_try_advisory_xact_lock(?) as locked', [migrationLock]);
  return row?.locked;
}

/** Returns the SQL that would make the database match the entities. The text is empty if migrations and entities agree. */
export const schemaDifference = (url: string): Promise<string> =>
  withOrm(url, (orm) => orm.schema.getUpdateSchemaSQL({ wrap: false }));

async function withOrm<T>(url: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  const orm = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0, lockTimeoutMs });
  try {
    return await work(orm);
  } finally {
    await orm.close(true);
  }
}
