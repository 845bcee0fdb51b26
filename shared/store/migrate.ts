import { openOrm } from './connection.ts';

type Orm = Awaited<ReturnType<typeof openOrm>>;

const migrationLock = 7_126_190_311;

/** Brings the schema up to date. Several processes may call it at once: an advisory lock lets one through at a time. */
export const migrate = (url: string): Promise<string[]> =>
  withOrm(url, (orm) =>
    orm.em.fork().transactional(async (em) => {
      await em.execute('select pg_advisory_xact_lock(?)', [migrationLock]);
      const done = await orm.migrator.up();
      return done.map((migration) => migration.name);
    }),
  );

/** The statements that would make the database equal to the entities: none, when migrations and entities agree. */
export const schemaDifference = (url: string): Promise<string> =>
  withOrm(url, (orm) => orm.schema.getUpdateSchemaSQL({ wrap: false }));

async function withOrm<T>(url: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  const orm = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0 });
  try {
    return await work(orm);
  } finally {
    await orm.close(true);
  }
}
