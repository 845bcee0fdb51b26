import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';

/**
 * The health of an endpoint is written with the outcome of an attempt. Many attempts may update the row of a busy endpoint at once.
 * If the row is locked, an attempt skips its update and does not wait. So several concurrent failures may be counted as one.
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

/**
 * Endpoints whose row a success must update. The row is updated after a failure, at the first success, and if the last success is
 * over a minute old. Other successes only read the row, so `lastSuccessAt` is accurate to about a minute.
 */
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
