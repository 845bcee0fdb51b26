import { sql } from 'kysely';
import type { Db } from './database/connection.ts';

export type LeaseOf = { name: string; holder: string };

/**
 * Takes or renews a lease. Returns false if another holder has it. The clock of the database decides, so a holder that hangs loses
 * the lease, and a process with a wrong clock cannot take it too early.
 */
export async function takeLease(db: Db, { name, holder, ms }: LeaseOf & { ms: number }): Promise<boolean> {
  const expiresAt = sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1_000}::float8)`;
  const taken = await db
    .insertInto('leases')
    .values({ name, holder, expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, expiresAt })
        .where((eb) =>
          eb.or([
            eb('leases.holder', '=', holder),
            eb('leases.expiresAt', '<', sql<Date>`clock_timestamp()`),
          ]),
        ),
    )
    .returning('name')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Gives the lease back, so that another process need not wait until it expires. */
export const releaseLease = (db: Db, { name, holder }: LeaseOf) =>
  db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
