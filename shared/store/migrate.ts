import { openOrm } from './connection.ts';

type Orm = Awaited<ReturnType<typeof openOrm>>;

/**
 * If a migration waits longer for a lock, it fails and can be repeated. While it waits, all later queries of that table wait too.
 */
const lockTimeoutMs = 10_000;

const migrationLock = 7_126_190_311;

/**
 * Applies all pending migrations. Several processes may call this function at once, because an advisory lock admits one process
 * at a time.
 */
export const migrate = (url: string): Promise<string[]> =>
  withOrm(url, (orm) =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('set local lock_timeout = 0');
      await em.execute('select pg_advisory_xact_lock(?)', [migrationLock]);
      // Postgres ends an idle transaction, so a process that vanished or hangs loses the lock. This timer keeps the transaction of
      // a working process from being idle.
      const notIdle = setInterval(() => void em.execute('select 1').catch(() => undefined), 1_000);
      try {
        const done = await orm.migrator.up();
        return done.map((migration) => migration.name);
      } finally {
        clearInterval(notIdle);
      }
    }),
  );

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
