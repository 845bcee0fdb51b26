import pg from 'pg';
import type { Running, Stored } from './evidence.ts';
import { withTemporal } from './machine/tools.ts';

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
      verifications: await rows(`
        select id, reference, environment, status, submitted_at is not null as submitted, verdict->>'outcome' as outcome
        from verifications`),
      events: await rows('select id, verification_id, body from events'),
      deliveries: await rows(`
        select d.id, d.event_id, d.status, substring(w.url from '/[^/]*$') as path,
          d.status in ('pending', 'retrying') and (d.next_attempt_at < now() or d.queued_at is not null) as overdue
        from deliveries d join webhook_endpoints w on w.id = d.endpoint_id`),
      attempts: await rows(
        'select delivery_id, number, started_at, outcome, phase, response_status from delivery_attempts',
      ),
      ledger: await rows(
        'select subject_id, sequence, type, data, previous_hash, hash, created_at from ledger',
      ),
    };
  } finally {
    await client.end();
  }
}

const query = `ExecutionStatus = 'Running' AND WorkflowType IN ('verification', 'delivery')`;
const shownEvents = 12;

export const countRunning = (temporalAddress: string): Promise<number> =>
  withTemporal(temporalAddress, async (client) => (await client.workflow.count(query)).count);

/** The running workflows of verifications and deliveries. */
export const readRunning = (temporalAddress: string): Promise<Running[]> =>
  withTemporal(temporalAddress, async (client) => {
    const running: Running[] = [];
    for await (const { workflowId: id } of client.workflow.list({ query })) {
      const { events } = await client.workflow.getHandle(id).fetchHistory();
      running.push({ id, history: (events ?? []).map(nameOf).slice(-shownEvents) });
    }
    return running;
  });

/** Each event has its attributes in a field of its own. */
const nameOf = (event: object): string =>
  Object.entries(event)
    .flatMap(([name, value]) => (value && name.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []))
    .join();
const suffix = 'EventAttributes';
