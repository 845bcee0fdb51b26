import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createLog, type Log } from '#platform/log.ts';
import type { Posted } from '#platform/outbound/http.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import { failureWarnings } from '#worker/sweep.ts';
import { attempter, heads, newDelivery } from './support.ts';

/**
 * The health of an endpoint: failures in a row, since when, and the last success. The API shows the health and the log has
 * warnings, but failures never disable an endpoint.
 */

const harness = await startHarness({ worker: false });
let partner: Partner;
let respond: () => Promise<Posted>;
const secretUrl = 'https://hooks.example.com/a-secret-in-the-path';
beforeEach(async () => {
  partner = await startPartner(harness, { endpoint: { url: secretUrl } });
});

const answer = (status: number): Posted => ({
  answered: true,
  phase: 'body',
  kept: false,
  status,
  retryAfterMs: null,
  excerpt: Buffer.alloc(0),
  durationMs: 3,
  ...heads,
});
async function attempt(status: number, deliveryId?: string, number = 1): Promise<string> {
  respond = async () => answer(status);
  const id = deliveryId ?? (await newDelivery(harness, partner));
  await attempter(harness, () => respond())(id, number);
  return id;
}

type Health = { failures: number; since: Date | null; success: Date | null; active: boolean };
async function health(): Promise<Health | undefined> {
  const rows = await harness.rows<Health>`
    select consecutive_failures as failures, failing_since as since, last_success_at as success, active
    from webhook_endpoints where id = ${partner.endpoint.id}`;
  return rows[0];
}
const set = (column: 'failing_since' | 'last_success_at', hoursAgo: number) =>
  harness.rows`update webhook_endpoints set ${sql.ref(column)} = now() - make_interval(secs => ${hoursAgo * 3_600})
    where id = ${partner.endpoint.id}`;

test('every failed attempt counts, of one delivery or of several; since when is the first of them', async () => {
  expect(await health()).toEqual({ failures: 0, since: null, success: null, active: true });
  const first = await attempt(500);
  const since = (await health())?.since;
  expect(since).toBeInstanceOf(Date);
  await attempt(404, first, 2);
  await attempt(301);
  expect(await health()).toEqual({ failures: 3, since, success: null, active: true });
});

test('a 2xx ends the row of failures', async () => {
  await attempt(500);
  await attempt(204);
  expect(await health()).toEqual({ failures: 0, since: null, success: expect.any(Date), active: true });
});

test('last success is told at most once a minute, so that a busy row is not written by every delivery', async () => {
  await attempt(200);
  const told = (await health())?.success;
  await attempt(200);
  expect((await health())?.success).toEqual(told);
  await set('last_success_at', 1);
  await attempt(200);
  expect((await health())?.success?.getTime()).toBeGreaterThanOrEqual(told?.getTime() ?? Number.NaN);
});

test('an attempt whose sender died is our fault and not the receiver’s', async () => {
  const deliveryId = await newDelivery(harness, partner);
  await harness.rows`
    insert into delivery_attempts (delivery_id, number, started_at)
    values (${deliveryId}, 1, now() - interval '21 seconds')`;
  await attempt(200, deliveryId);
  expect(await health()).toMatchObject({ failures: 0, since: null });
});

test('while somebody holds the endpoint, outcomes are recorded all the same and nobody waits', async () => {
  await attempt(500);
  const [delivered, refused] = [await newDelivery(harness, partner), await newDelivery(harness, partner)];
  await harness.store.transaction(async (tx) => {
    await sql`select 1 from webhook_endpoints where id = ${partner.endpoint.id} for no key update`.execute(
      tx,
    );
    await attempt(200, delivered);
    await attempt(500, refused);
  });
  const rows = await harness.rows`
    select status from deliveries where id in (${delivered}, ${refused}) order by status`;
  expect(rows).toEqual([{ status: 'delivered' }, { status: 'retrying' }]);
  expect(await health()).toMatchObject({ failures: 1, success: null });
  await attempt(200);
  expect(await health()).toMatchObject({ failures: 0 });
});

/** Records what is logged at the level `warn`. */
function recordingLog() {
  const lines: { level: string; fields: Record<string, unknown>; text: string }[] = [];
  const log = createLog({ level: 'silent', format: 'json' });
  const warn = (fields: Record<string, unknown>, text: string) => lines.push({ level: 'warn', fields, text });
  return { lines, log: Object.assign(log, { warn }) as unknown as Log };
}

test('after 24 hours of failures there is a warning, then one a day, with ids and never the url', async () => {
  let aheadMs = 0;
  const clock = { ...harness.ctx.clock, now: () => new Date(Date.now() + aheadMs) };
  const { lines: all, log } = recordingLog();
  const ofThisOne = () => all.filter(({ fields }) => fields.endpoint === partner.endpoint.id);
  const look = failureWarnings({ store: harness.store, clock }, log);
  await attempt(500);
  await set('failing_since', 23.9);
  await look();
  expect(ofThisOne()).toEqual([]);

  await set('failing_since', 24.1);
  await look();
  await look();
  expect(ofThisOne()).toHaveLength(1);
  expect(ofThisOne()[0]?.fields).toMatchObject({
    endpoint: partner.endpoint.id,
    organisation: partner.organisationId,
    consecutiveFailures: 1,
  });
  aheadMs = 23 * 3_600_000;
  await look();
  expect(ofThisOne()).toHaveLength(1);
  aheadMs = 24 * 3_600_000;
  await look();
  await look();
  expect(ofThisOne()).toHaveLength(2);
  expect(JSON.stringify(all)).not.toMatch(/hooks\.example|secret-in/);
  expect(await health()).toMatchObject({ active: true });
});

test('of an endpoint that recovered or was deactivated there is no warning', async () => {
  const { lines, log } = recordingLog();
  const look = failureWarnings(harness.ctx, log);
  await attempt(500);
  await set('failing_since', 48);
  await attempt(200);
  const other = await startPartner(harness);
  await harness.rows`
    update webhook_endpoints set active = false, failing_since = now() - interval '2 days'
    where id = ${other.endpoint.id}`;
  await look();
  const named = lines.map(({ fields }) => fields.endpoint);
  expect(named).not.toContain(partner.endpoint.id);
  expect(named).not.toContain(other.endpoint.id);
});
