import { setTimeout as pause } from 'node:timers/promises';
import { StartFault } from '#platform/failures.ts';
import { migrationsList } from '../migrations/list.ts';
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

/** The first migration of the versions before the first release, of which none leads on. */
const firstBeforeRelease = '0001-foundation';

/**
 * Applies all pending migrations, and gives the roles their rights. Several processes may call this function at once, because an
 * advisory lock admits one process at a time. Returns the names of the applied migrations. Throws a StartFault if the database was made
 * by a version before the first release.
 */
export const migrate = (url: string, migrations = migrationsList): Promise<string[]> =>
  withOrm(
    url,
    async (orm) => {
      for (;;) {
        const done = await migrateIfFree(orm);
        if (done !== undefined) return done;
        await pause(askAgainMs);
      }
    },
    migrations,
  );

/**
 * Returns undefined if another process has the lock. The build of an index waits for the end of each transaction that has a snapshot at
 * that moment. So a process that asks for the lock asks in a transaction that ends, and the one that has the lock takes no snapshot
 * during a build.
 */
const migrateIfFree = (orm: Orm): Promise<string[] | undefined> =>
  orm.em.fork().transactional(async (em) => {
    if (!(await tryLock(em))) return undefined;
    await refuseBeforeRelease(em);
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

async function refuseBeforeRelease(em: Pick<Orm['em'], 'execute'>): Promise<void> {
  const [table] = await em.execute(`select to_regclass('migrations') is not null as "exists"`);
  if (!table?.exists) return;
  const found = await em.execute('select from migrations where name = ?', [firstBeforeRelease]);
  if (found.length > 0)
    throw new StartFault(
      'This database was made by a version before the first release, and no migration leads from it to this version. Nothing was changed. ' +
        'Use an empty database. For `npm start` that is another DATA_DIR, or none: move the folder .data away.',
    );
}

/** Returns the SQL that would make the database match the entities. The text is empty if migrations and entities agree. */
export const schemaDifference = (url: string): Promise<string> =>
  withOrm(url, (orm) => orm.schema.getUpdateSchemaSQL({ wrap: false }));

async function withOrm<T>(
  url: string,
  work: (orm: Orm) => Promise<T>,
  migrations = migrationsList,
): Promise<T> {
  const orm = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0, lockTimeoutMs, migrations });
  try {
    return await work(orm);
  } finally {
    await orm.close(true);
  }
}
