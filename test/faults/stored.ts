import pg from 'pg';
import type { Stored } from './oracle.ts';

/** Reads by plain SQL everything that the verdict needs. */
export async function readStored(databaseUrl: string): Promise<Stored> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows = async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows;
  try {
    return {
      requests: await rows(
        'select id, idempotency_key, status from requests where idempotency_key is not null',
      ),
      verifications: await rows('select id, reference, status from verifications'),
      events: await rows('select id, verification_id, body from events'),
      deliveries: await rows(`
        select d.id, d.event_id, d.status, substring(w.url from '/[^/]*$') as path,
          d.status in ('pending', 'retrying') and d.next_attempt_at < now() as overdue
        from deliveries d join webhook_endpoints w on w.id = d.endpoint_id`),
      attempts: await rows('select delivery_id, number, started_at, outcome from delivery_attempts'),
      ledger: await rows(
        'select subject_id, sequence, type, data, previous_hash, hash, created_at from ledger',
      ),
    };
  } finally {
    await client.end();
  }
}
