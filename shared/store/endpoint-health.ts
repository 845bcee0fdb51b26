import { sql } from 'kysely';
import type { Db } from './connection.ts';

/**
 * How an endpoint fares, written along with the outcome of an attempt. A busy endpoint's row is one that many want to write at
 * once, so nobody waits for it: who finds it held leaves it, and the next attempt says the same. So of failures that end
 * at the same instant some may go uncounted, and `lastSuccessAt` is true to the minute.
 */

export const countFailure = (db: Db, endpointId: string) =>
  db
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      consecutiveFailures: eb('consecutiveFailures', '+', 1),
      failingSince: eb.fn.coalesce('failingSince', sql<Date>`now()`),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('id', '=', endpointId)
        .forNoKeyUpdate()
        .skipLocked(),
    );

/** Says nothing new more than once a minute: most successes only read the row. */
export const successToTell = (db: Db) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('consecutiveFailures', '>', 0),
        eb('lastSuccessAt', 'is', null),
        eb('lastSuccessAt', '<', sql<Date>`now() - interval '1 minute'`),
      ]),
    )
    .forNoKeyUpdate()
    .skipLocked();

export const healthy = {
  consecutiveFailures: 0,
  failingSince: null,
  lastSuccessAt: sql<Date>`now()`,
};
