import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db, Store } from '#store/database/connection.ts';
import { queryAt } from '#test/support/servers/database.ts';

const backendOf = async (db: Db): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0;

/** Resolves with the backend of the store's only line. Two reads at once come from the same backend only if it is that of a line. */
export const openLine = ({ reads }: Store): Promise<number> =>
  vi.waitFor(
    async () => {
      const [one, other] = await Promise.all([backendOf(reads), backendOf(reads)]);
      expect(one).toBe(other);
      return one;
    },
    { timeout: 20_000 },
  );

/** The number of connections of the product to this database, as Postgres counts them. */
export async function connectionsAt(url: string): Promise<number> {
  const rows = await queryAt(
    url,
    `select count(*)::int as open from pg_stat_activity
     where application_name = 'verification-service' and datname = current_database()`,
  );
  return Number(rows[0]?.open);
}
