import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { purge } from '#store/keeping/retention.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { eventually, type Partner, startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ worker: false });
const resend = ({ ask }: Partner, path: string, id: string) => ask('POST', `${path}/deliveries/${id}/resend`);

/** Creates a partner with a delivery that is never attempted. */
async function withDelivery() {
  const partner = await startPartner(harness);
  await partner.ask('POST', `${partner.path}/test`);
  return { partner, delivery: (await partner.deliveries())[0] };
}
const countDeliveries = async ({ endpoint }: Partner) =>
  (await harness.rows`select id from deliveries where endpoint_id = ${endpoint.id}`).length;

test('an endpoint that is unknown, malformed or foreign is 404 webhook_not_found, whatever the delivery', async () => {
  covers('7.1/404', '1/organisation-isolation');
  const [ours, theirs] = [await withDelivery(), await withDelivery()];
  for (const id of [randomUUID(), 'x', theirs.partner.endpoint.id])
    for (const deliveryId of [ours.delivery.id, theirs.delivery.id, randomUUID(), 'x']) {
      const { status, json } = await resend(ours.partner, `/webhooks/${id}`, deliveryId);
      expect(status).toBe(404);
      expect(json.error).toMatchObject({ type: 'not_found_error', code: 'webhook_not_found' });
    }
  expect(await countDeliveries(theirs.partner)).toBe(1);
});

test('a delivery that is unknown, malformed or of another endpoint is 404 delivery_not_found', async () => {
  covers('7.1/404', '1/organisation-isolation');
  const [ours, theirs] = [await withDelivery(), await withDelivery()];
  const { json: second } = await ours.partner.ask('POST', '/webhooks', { url: 'https://hooks.example.com/' });
  for (const [path, deliveryId] of [
    [ours.partner.path, randomUUID()],
    [ours.partner.path, 'x'],
    [ours.partner.path, theirs.delivery.id],
    [`/webhooks/${second.id}`, ours.delivery.id],
  ]) {
    const { status, json } = await resend(ours.partner, String(path), deliveryId);
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ type: 'not_found_error', code: 'delivery_not_found' });
  }
  expect(await countDeliveries(ours.partner)).toBe(1);
});

test('to a deactivated endpoint it is 409 webhook_inactive', async () => {
  const { partner, delivery } = await withDelivery();
  await partner.ask('DELETE', partner.path);
  const { status, json } = await resend(partner, partner.path, delivery.id);
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'webhook_inactive' });
  expect(await countDeliveries(partner)).toBe(1);
});

const everything = { before: new Date(Date.now() + 3_600_000), rowsMax: 1_000 };
const settle = (id: string) =>
  harness.rows`update deliveries set status = 'delivered', next_attempt_at = null where id = ${id}`;

test('an event whose body was emptied by housekeeping is 409 event_expired', async () => {
  const { partner, delivery } = await withDelivery();
  await settle(delivery.id);
  expect(await purge.event_bodies(harness.store, everything)).toBeGreaterThan(0);
  const { status, json } = await resend(partner, partner.path, delivery.id);
  expect(status).toBe(409);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'event_expired' });
  expect(await countDeliveries(partner)).toBe(1);
});

test('while a resend is being stored, housekeeping leaves the event alone', async () => {
  const { partner, delivery } = await withDelivery();
  await settle(delivery.id);
  // The new delivery refers to the organisation, whose row is locked. So the resend waits after it has read the event and before it
  // commits.
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = harness.store.transaction(async (tx) => {
    await sql`select 1 from organisations where id = ${partner.organisationId} for update`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const answer = resend(partner, partner.path, delivery.id);
  const waiting = async () =>
    (
      await harness.rows`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%deliveries%'`
    ).length;
  const bodyLeft = async () =>
    (await harness.rows`select 1 from events where id = ${delivery.event_id} and body is not null`).length;
  try {
    await eventually(waiting).toBe(1);
    await purge.event_bodies(harness.store, everything);
    expect(await bodyLeft()).toBe(1);
  } finally {
    released.resolve();
    await held;
  }
  expect((await answer).status).toBe(202);
  await purge.event_bodies(harness.store, everything);
  expect(await bodyLeft()).toBe(1);
});
