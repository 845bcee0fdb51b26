import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Problem } from '#contract/errors.ts';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { createSubmissionSweep } from '#services/flow/restart.ts';
import { evenIfLost } from '#services/runs/even-if-lost.ts';
import { scopeOfOperator } from '#store/database/scope.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { joins } from '#test/support/people/console.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';

/**
 * What Temporal remembers and the database no longer does, as after a restore of the database to an older moment, and the other way
 * round.
 */

const hour = 3_600_000;
const harness = await startHarness({ retryWaitsMs: [hour, hour] });

/** The database is as it was between the claim of this create and its recording. Temporal remembers what came after. */
async function loseRecording(id: string, body: object): Promise<void> {
  const { rows } = harness;
  await rows`delete from delivery_attempts`;
  await rows`delete from deliveries`;
  await rows`delete from events`;
  await rows`delete from ledger where subject_id = ${id}`;
  await rows`delete from ledger_personal where subject_id = ${id}`;
  await rows`delete from data_keys where verification_id = ${id}`;
  await rows`delete from verifications where id = ${id}`;
  await rows`
    update requests set status = 'claimed', answer = null, answer_status = null, input = ${JSON.stringify(body)}
    where id = ${id}`;
}

const standing = async (id: string) =>
  (await harness.rows<{ status: string }>`select status from verifications where id = ${id}`)[0]?.status;

const linesOf = async (id: string) => {
  const lines = await harness.rows<{ type: string }>`
    select type from ledger where subject_id = ${id} order by sequence`;
  return lines.map(({ type }) => type);
};

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
  await untilAsleep(harness, first.id);
  await loseRecording(first.id, body);

  const { status, json } = await create();
  expect(status).toBe(201);
  expect(json).toMatchObject({ id: first.id, status: state });
  await partner.receiver.waitFor(2 * events);
  const eventIds = partner.receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(new Set(eventIds).size).toBe(events);
});

/** A verification whose recording was lost. Its run sleeps, or is closed if it was completed. */
async function lost(auto_complete: boolean) {
  const partner = await startPartner(harness);
  const body = { method: 'idin', reference: 'order 1', sandbox: { scenario: 'approved', auto_complete } };
  const { json } = await partner.ask('POST', '/verifications', body);
  await partner.receiver.waitFor(auto_complete ? 1 : 0);
  // A run that is at work may have read the row, and would not look at it again.
  await untilAsleep(harness, json.id);
  await loseRecording(json.id, body);
  return { partner, id: json.id as string, path: `/verifications/${json.id}`, verifyUrl: json.verify_url };
}

describe('a recording that was lost', () => {
  test.each([
    ['read', 'GET', '', []],
    ['completion', 'POST', '/complete', ['verification.completed']],
    ['cancellation', 'POST', '/cancel', ['verification.cancelled']],
    ['fresh link', 'POST', '/link', ['verification.link_renewed']],
    ['erasure', 'POST', '/erase', ['verification.erased']],
  ] as const)('is made again by a %s of its verification', async (_, method, command, lines) => {
    const { partner, path, id } = await lost(false);
    const { status, json } = await partner.ask(method, path + command, method === 'POST' ? {} : undefined);
    expect(status).toBe(200);
    expect(json.id).toBe(id);
    expect(await linesOf(id)).toEqual(['verification.created', ...lines]);
  });

  test('is made again with its verdict and the event of before', async () => {
    const { partner, path } = await lost(true);
    expect((await partner.ask('POST', `${path}/complete`, {})).status).toBe(409);
    expect((await partner.ask('GET', path)).json).toMatchObject({ verdict: { outcome: 'approved' } });
    const events = await partner.receiver.waitFor(2);
    expect(new Set(events.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  });

  test('is made again once by twenty commands of one moment, of which one completes', async () => {
    const { partner, path, id } = await lost(false);
    const complete = () => partner.ask('POST', `${path}/complete`, {});
    const statuses = (await Promise.all(Array.from({ length: 20 }, complete))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await linesOf(id)).toEqual(['verification.created', 'verification.completed']);
  });

  test('is found by a command that looked for it just before another command made it again', async () => {
    const { partner, path, id } = await lost(false);
    const scope = scopeOfOperator({ orgId: partner.organisationId, environment: 'sandbox' });
    let looks = 0;
    const found = await evenIfLost({ ...harness.ctx, deadlineAt: Date.now() + hour }, scope, id, async () => {
      looks += 1;
      const row = await verificationsOf(scope, harness.store.db).find(id);
      if (looks === 1) expect((await partner.ask('GET', path)).status).toBe(200);
      if (row === undefined) throw new Problem('verification_not_found');
      return row;
    });
    expect([found.id, looks]).toEqual([id, 2]);
  });

  test('is made again by its person, who goes on from the first page', async () => {
    const { verifyUrl, id } = await lost(false);
    const tester = person(harness, verifyUrl);
    expect((await tester.look()).status).toBe(200);
    expect(await standing(id)).toBe('pending');
    await tester.start();
    expect(await standing(id)).toBe('in_progress');
  });

  test('is made again by an agent that asks, and by a member who opens its page', async () => {
    const forAgent = await lost(false);
    const { key } = forAgent.partner;
    expect(await callTool(harness, key, 'get_verification', { verification_id: forAgent.id })).toMatchObject({
      status: 'pending',
    });
    const forMember = await lost(false);
    const { url } = await harness.startConsole();
    const { visitor } = await joins(harness, url, { org: forMember.partner.org, role: 'developer' });
    expect((await visitor.get(forMember.path)).status).toBe(200);
    expect(await standing(forMember.id)).toBe('pending');
  });

  test('is not made again by a stranger, by a forged link, or after a day', async () => {
    const { partner, path, id, verifyUrl } = await lost(false);
    const stranger = await startPartner(harness);
    expect((await stranger.ask('GET', path)).status).toBe(404);
    expect((await stranger.ask('POST', `${path}/cancel`, {})).status).toBe(404);
    const forged = `${verifyUrl.slice(0, -1)}${verifyUrl.endsWith('A') ? 'B' : 'A'}`;
    expect((await person(harness, forged).look()).status).toBe(404);
    await harness.rows`update requests set created_at = now() - interval '25 hours' where id = ${id}`;
    expect((await partner.ask('GET', path)).status).toBe(404);
    expect((await person(harness, verifyUrl).look()).status).toBe(404);
    expect(await standing(id)).toBeUndefined();
  });
});

test('a submission that an older Temporal does not know gets its verdict', async () => {
  const partner = await startPartner(harness);
  const body = { method: 'document_only', sandbox: { scenario: 'review', auto_complete: false } };
  const { json } = await partner.ask('POST', '/verifications', body);
  const tester = person(harness, json.verify_url);
  await tester.start();
  await tester.specimen('passport_page');
  await harness.rows`update verifications set submitted_at = now() - interval '3 min' where id = ${json.id}`;
  const handle = harness.temporal.workflow.getHandle(verificationWorkflowId(json.id));
  const { runId } = await handle.describe();
  const swept = await createSubmissionSweep(harness.ctx)(new AbortController().signal);
  expect(swept).toEqual({ found: 1, failed: 0 });
  const [event] = await partner.receiver.waitFor(1);
  expect(JSON.parse(String(event?.body)).data).toMatchObject({ verification_id: json.id, outcome: 'review' });
  expect((await handle.describe()).runId).not.toBe(runId);
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

test('a delivery that sleeps while its row is overdue is begun again by the sweep', async () => {
  const { partner, find } = await failedOnce();
  const id = (await find())?.id;
  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 min' where id = ${id}`;
  const runId = async () =>
    (await harness.temporal.workflow.getHandle(deliveryWorkflowId(id ?? '')).describe()).runId;
  const before = await runId();
  expect(await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs: [hour, hour] })).toBe(1);
  await partner.receiver.waitFor(2);
  expect(await runId()).not.toBe(before);
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
