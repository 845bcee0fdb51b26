import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/partner.ts';
import { person } from '#test/support/person.ts';

/**
 * What Temporal remembers and the database no longer does, as after a restore of the database to an older moment, and the other way
 * round.
 */

const hour = 3_600_000;
const harness = await startHarness({ retryWaitsMs: [hour, hour] });

test.each([
  ['completed', true],
  ['pending', false],
])('a create whose recording was lost is carried out by its repetition: %s', async (state, auto_complete) => {
  const partner = await startPartner(harness);
  const idempotencyKey = randomUUID();
  const body = { method: 'idin', sandbox: { scenario: 'approved', auto_complete } };
  const create = () => partner.ask('POST', '/verifications', body, idempotencyKey);
  const { json: first } = await create();
  const events = auto_complete ? 1 : 0;
  await partner.receiver.waitFor(events);
  const input = JSON.stringify(body);
  await harness.rows`delete from delivery_attempts`;
  await harness.rows`delete from deliveries`;
  await harness.rows`delete from events`;
  await harness.rows`delete from ledger where subject_id = ${first.id}`;
  await harness.rows`delete from verifications where id = ${first.id}`;
  await harness.rows`
    update requests set status = 'claimed', answer = null, answer_status = null, input = ${input}
    where id = ${first.id}`;

  const { status, json } = await create();
  expect(status).toBe(201);
  expect(json).toMatchObject({ id: first.id, status: state });
  await partner.receiver.waitFor(2 * events);
  const eventIds = partner.receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(new Set(eventIds).size).toBe(events);
});

test('a submission that an older Temporal does not know gets its verdict', async () => {
  const partner = await startPartner(harness);
  const body = { method: 'document_only', sandbox: { scenario: 'review', auto_complete: false } };
  const { json } = await partner.ask('POST', '/verifications', body);
  const tester = person(harness, json.verify_url);
  await tester.start();
  await tester.specimen('passport_page');
  await harness.rows`update verifications set submitted_at = now() - interval '3 min' where id = ${json.id}`;
  const swept = await createSubmissionSweep(harness.ctx)(new AbortController().signal);
  expect(swept).toEqual({ found: 1, failed: 0 });
  const [event] = await partner.receiver.waitFor(1);
  expect(JSON.parse(String(event?.body)).data).toMatchObject({ verification_id: json.id, outcome: 'review' });
});

/** Creates a delivery whose first attempt failed. Its workflow sleeps until the next attempt, which is due in an hour. */
async function failedOnce() {
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  const { json } = await partner.ask('POST', '/verifications', { method: 'idin' });
  await partner.receiver.waitFor(1);
  const find = async () => {
    const [row] = await harness.rows<{ id: string; attempts: number; status: string }>`
      select d.id, d.status, (select count(*)::int from delivery_attempts a where a.delivery_id = d.id) as attempts
      from deliveries d join events e on e.id = d.event_id where e.verification_id = ${json.id}`;
    return row;
  };
  await expect.poll(async () => (await find())?.status).toBe('retrying');
  const timers = async () => {
    const handle = harness.temporal.workflow.getHandle(deliveryWorkflowId((await find())?.id ?? ''));
    const { events } = await handle.fetchHistory();
    return (events ?? []).filter(({ timerStartedEventAttributes: timer }) => timer).length;
  };
  await expect.poll(timers).toBe(1);
  return { partner, find, timers };
}

test('a delivery that sleeps while its row is overdue is woken by the sweep', async () => {
  const { partner, find } = await failedOnce();
  const id = (await find())?.id;
  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 min' where id = ${id}`;
  expect(await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs: [hour, hour] })).toBe(1);
  await partner.receiver.waitFor(2);
  await expect.poll(find).toMatchObject({ status: 'delivered', attempts: 2 });
});

test('a delivery that is woken before its time makes no attempt and sleeps on', async () => {
  const { partner, find, timers } = await failedOnce();
  const { organisationId: orgId } = partner;
  const deliveryId = (await find())?.id ?? '';
  const waitsMs = [hour, hour];
  const input = { deliveryId, orgId, environment: 'sandbox', verificationId: randomUUID(), waitsMs } as const;
  await harness.ctx.temporal.wakeDelivery(input);
  await expect.poll(timers).toBe(2);
  expect(await find()).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(partner.receiver.received).toHaveLength(1);
});

test('a delivery of a deactivated endpoint is cancelled when it is woken', async () => {
  const { partner, find } = await failedOnce();
  const id = (await find())?.id;
  await partner.ask('DELETE', partner.path);
  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 min' where id = ${id}`;
  await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs: [hour, hour] });
  await expect.poll(find).toMatchObject({ status: 'cancelled', attempts: 1 });
});
