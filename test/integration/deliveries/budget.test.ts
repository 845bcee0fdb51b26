import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { createMany } from './support.ts';

/** At sixty a minute, an organisation begins six deliveries at once, and then one a second. */
const harness = await startHarness({ turns: { attempts: 200, perEndpoint: 20, deliveriesPerMinute: 60 } });

test('what an organisation begins beyond its budget waits as a row, all of it arrives, and others notice nothing', async () => {
  const [busy, quiet] = [await startPartner(harness), await startPartner(harness)];
  const startedMs = performance.now();
  const ids = await createMany(harness, busy.key, 9);
  const waiting = await harness.rows`
    select from deliveries where org_id = ${busy.organisationId} and queued_at is not null`;
  expect(waiting.length).toBeGreaterThan(0);
  const [id = ''] = await createMany(harness, quiet.key, 1);
  const [event] = await quiet.receiver.waitFor(1);
  expect(event?.body.toString()).toContain(id);

  await busy.receiver.waitFor(6);
  await busy.receiver.waitFor(9, 20_000);
  expect(performance.now() - startedMs).toBeGreaterThan(2_900);
  const arrived = busy.receiver.received.map(({ body }) => JSON.parse(body.toString()).data.verification_id);
  expect(arrived.toSorted()).toEqual(ids.toSorted());
});

test('a retry needs no budget', async () => {
  const oneAMinute = await startHarness({
    turns: { attempts: 200, perEndpoint: 20, deliveriesPerMinute: 1 },
    retryWaitsMs: [500],
  });
  const partner = await startPartner(oneAMinute, {}, { status: 500 }, { status: 200 });
  const [id = ''] = await createMany(oneAMinute, partner.key, 1);
  await partner.receiver.waitFor(1);
  await createMany(oneAMinute, partner.key, 1);
  const received = await partner.receiver.waitFor(2);
  expect(received.map(({ body }) => JSON.parse(body.toString()).data.verification_id)).toEqual([id, id]);
  const waiting = await oneAMinute.rows`select from deliveries where queued_at is not null`;
  expect(waiting).toHaveLength(1);
});
