import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { createMany } from './support.ts';

/**
 * Many events are sent while two of five receivers fail. One of the two always fails, and the endpoint of the other is deactivated.
 * Every delivery must be accounted for.
 */

const events = 8;
const waitsMs = [50, 50, 50, 50, 50];

const harness = await startHarness({ retryWaitsMs: waitsMs });

type Counts = Record<'delivered' | 'scheduled' | 'exhausted' | 'cancelled' | 'published', number>;
async function counts(): Promise<Counts> {
  const rows = await harness.rows<Counts>`
    select count(*)::int as published,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status in ('pending', 'retrying'))::int as scheduled,
      count(*) filter (where status = 'failed')::int as exhausted,
      count(*) filter (where status = 'cancelled')::int as cancelled
    from deliveries`;
  return rows[0] as Counts;
}

type Attempts = { answered: number; lost: number };
/** Counts the attempts of each endpoint that got an answer, and those that got none. */
async function attemptsOf(): Promise<Map<string, Attempts>> {
  const rows = await harness.rows<Attempts & { endpoint: string }>`
    select d.endpoint_id as endpoint, count(response_status)::int as answered,
      (count(*) - count(response_status))::int as lost
    from delivery_attempts a join deliveries d on d.id = a.delivery_id group by 1`;
  return new Map(rows.map(({ endpoint, ...counts }) => [endpoint, counts]));
}

test('of 40 deliveries to five receivers, one of which always fails and one is deactivated, each is accounted for', async () => {
  covers('6.4/six-attempts', '6.4/2xx-is-success');
  const good = await Promise.all([1, 2, 3].map(() => startReceiver({ status: 200 })));
  const failing = await startReceiver({ status: 500 });
  const leaving = await startReceiver({ status: 500 }, { status: 503 });
  const { key } = await harness.key();
  const endpoints = await Promise.all(
    [...good, failing, leaving].map(async ({ url }) => {
      const { json } = await call(harness, 'POST', '/v1/webhooks', { key, body: { url } });
      return json.id as string;
    }),
  );
  await createMany(harness, key, events);
  await leaving.waitFor(events / 2);
  await call(harness, 'DELETE', `/v1/webhooks/${endpoints[4]}`, { key });

  const settled = { delivered: 3 * events, exhausted: events };
  await expect.poll(counts, { timeout: 60_000, interval: 250 }).toMatchObject(settled);
  const { published, delivered, scheduled, exhausted, cancelled } = await counts();
  expect(published).toBe(5 * events);
  expect(published - delivered - scheduled - exhausted - cancelled).toBe(0);
  expect(scheduled + cancelled).toBe(events);

  // On a busy machine a connection may be lost or never open. Such an attempt gets no answer, whether the receiver got it or not.
  const attempts = await attemptsOf();
  const of = (endpoint: number) => attempts.get(endpoints[endpoint] ?? '') ?? { answered: 0, lost: 0 };
  for (const [endpoint, { received }] of good.entries()) {
    const ids = received.map(({ headers }) => headers['x-service-delivery']);
    expect([new Set(ids).size, of(endpoint).answered]).toEqual([events, events]);
    expect(ids.length - events).toBeLessThanOrEqual(of(endpoint).lost);
  }
  const { answered, lost } = of(3);
  expect(answered + lost).toBe(6 * events);
  expect(failing.received.length).toBeGreaterThanOrEqual(answered);
  const perEvent = Map.groupBy(failing.received, ({ headers }) => headers['x-service-delivery']);
  expect(perEvent.size).toBe(events);
  for (const received of perEvent.values()) expect(received.length).toBeLessThanOrEqual(6);
  expect(lost).toBeLessThan(events);

  const rows = await harness.rows<{ outcome: string; n: number }>`
    select outcome, count(*)::int as n from delivery_attempts a join deliveries d on d.id = a.delivery_id
    where d.endpoint_id <> ${endpoints[4]} group by outcome order by outcome`;
  const lostToGood = of(0).lost + of(1).lost + of(2).lost;
  expect(rows).toEqual([
    { outcome: 'delivered', n: 3 * events },
    { outcome: 'failed', n: 6 * events + lostToGood },
  ]);
}, 120_000);
