import { expect, test } from 'vitest';
import type { DocumentMasker, DocumentReader } from '#activities/checks/port.ts';
import type { LookResult } from '#contract/enums.ts';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { noOpinion } from '#test/support/examiners/no-opinion.ts';
import { quickMasker } from '#test/support/examiners/quick-masker.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { consented } from '#test/support/people/consented.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { holdLedger, holdRow, waitingForLocks } from '#test/support/servers/locks.ts';
import { activitiesOf, courseOf, replays } from './replays.ts';

/** Branches that the workflows take only when something is late, lost or restored. */

const reader = { failures: 0, held: Promise.resolve() };
const documents: DocumentReader = {
  async check() {
    await reader.held;
    if (reader.failures-- > 0) throw new Error('not now');
    return { checks: [], read: null };
  },
  close: async () => undefined,
};
const masking = { failures: 0 };
const masker: DocumentMasker = {
  async mask(pictures, request) {
    if (masking.failures-- > 0) throw new Error('not now');
    return quickMasker.mask(pictures, request);
  },
  close: async () => undefined,
};
const looking = { found: 'unknown' as LookResult };
const looker = { ...noOpinion, look: async () => looking.found };
const hour = 3_600_000;
const retryWaitsMs = [hour, hour];
const harness = await startHarness({ documents, masker, looker, retryWaitsMs });

/** Creates a verification that stays pending. */
async function pending(environment: 'sandbox' | 'live' = 'sandbox') {
  const { key, organisationId: orgId } = await harness.key({ environment });
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const id: string = json.id;
  const workflowId = verificationWorkflowId(id);
  const input = { verificationId: id, orgId, environment, method: 'document_only' } as const;
  return {
    ...{ id, key, workflowId, input },
    user: person(harness, json.verify_url),
    complete: () => call(harness, 'POST', `/v1/verifications/${id}/complete`, { key }),
    course: () => courseOf(workflowId, harness),
  };
}

test('a run that begins again reads the row, and ends when the link expires', async () => {
  const { id, workflowId, input, course } = await pending();
  await harness.rows`update verifications set link_expires_at = now() + interval '1 second' where id = ${id}`;
  await harness.ctx.temporal.replaceVerification(input);
  await expect.poll(course).toContain('workflowExecutionCompleted');
  expect(await course()).toContain('timerFired');
  await replays('verification-link-expired', workflowId, harness);
});

test('a run that hears of a cancellation ends', async () => {
  const { id, key, workflowId, course } = await pending();
  await call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key });
  await expect.poll(course).toContain('workflowExecutionCompleted');
  expect(await course()).toContain('workflowExecutionSignaled');
  await replays('verification-cancelled', workflowId, harness);
});

test('a run that hears of a fresh link waits until that one expires', async () => {
  const { id, key, workflowId, complete, course } = await pending();
  await call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
  await expect.poll(course).toContain('workflowExecutionSignaled');
  expect((await complete()).status).toBe(200);
  await replays('verification-link-renewed', workflowId, harness);
});

test('a run whose person asks for another way ends with that verdict', async () => {
  const { key } = await harness.key({ environment: 'live', org: 'Offers another way' });
  await harness.rows`update organisations set offers_other_way = true where name = 'Offers another way'`;
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const workflowId = verificationWorkflowId(json.id);
  await person(harness, json.verify_url).press('decline');
  await expect.poll(() => courseOf(workflowId, harness)).toContain('workflowExecutionCompleted');
  await replays('verification-declined', workflowId, harness);
});

test('a run that begins again carries out a command', async () => {
  const { workflowId, input, complete, course } = await pending();
  await harness.ctx.temporal.replaceVerification(input);
  await expect.poll(course).toContain('timerStarted');
  expect((await complete()).status).toBe(200);
  await replays('verification-begun-again', workflowId, harness);
});

test('a step that fails inside the workflow task is repeated as an activity', async () => {
  const { id, workflowId, complete, course } = await pending();
  const { release } = await holdRow(harness, 'verifications', id);
  const answered = complete();
  await expect.poll(course).toContain('activityTaskScheduled');
  await release();
  await answered;
  await replays('verification-recorded-by-activity', workflowId, harness);
});

/** Sends `complete` while the local activity of `start` waits for a lock. Temporal sees it when the worker extends its task. */
async function joined() {
  const { workflowId, user, complete, course } = await pending();
  const welcome = await user.look();
  const { release } = await holdLedger(harness);
  const started = user.press('start', { body: consented }, welcome);
  await expect.poll(() => waitingForLocks(harness)).toBe(1);
  const completed = complete();
  const accepted = 'workflowExecutionUpdateAccepted';
  await expect.poll(async () => (await course()).filter((kind) => kind === accepted).length).toBe(2);
  await release();
  await started;
  expect((await completed).status).toBe(200);
  return { workflowId, course: await course() };
}

test('a command that arrives while the local activity of another runs is carried out after it', async () => {
  let workflowId = '';
  // On a busy machine the command can arrive too late. Then both follow each other as usual, and the next flow is tried.
  await expect
    .poll(
      async () => {
        const { course, ...run } = await joined();
        workflowId = run.workflowId;
        return course.join(' ');
      },
      { timeout: 100_000 },
    )
    .toMatch(/timerCanceled (markerRecorded )?workflowExecutionUpdateAccepted/);
  await replays('verification-command-joined', workflowId, harness);
});

/** The attempts that each activity of this type took. */
async function attemptsOf(activity: string, workflowId: string): Promise<number[]> {
  const { events } = await harness.temporal.workflow.getHandle(workflowId).fetchHistory();
  const ids = (events ?? []).flatMap(({ eventId, activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === activity ? [String(eventId)] : [],
  );
  return (events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }) =>
    started && ids.includes(String(started.scheduledEventId)) ? [Number(started.attempt)] : [],
  );
}

test('a document whose picture is accepted is examined before Send, and not again', async () => {
  const { id, workflowId, user } = await pending('live');
  looking.found = 'fine';
  await user.start();
  await user.upload('passport_page', await anyPicture());
  const ahead = () =>
    harness.rows`select 1 from evidence where verification_id = ${id} and examined_ahead is not null`;
  await expect.poll(ahead, { timeout: 30_000 }).toHaveLength(1);
  looking.found = 'unknown';
  await user.submit();
  await replays('verification-examined-ahead', workflowId, harness);
  const activities = await activitiesOf(workflowId, harness);
  expect(activities).toEqual(expect.arrayContaining(['lookAtPictures', 'runChecksAhead', 'maskDocument']));
  expect(activities).not.toContain('runChecks');
  expect(await harness.rows`select 1 from examinations where verification_id = ${id}`).toHaveLength(1);
});

test('an examination that fails is repeated after a wait, by the same activity', async () => {
  const { workflowId, user, course } = await pending('live');
  reader.failures = 1;
  await submit(user);
  await expect.poll(course, { timeout: 30_000 }).toContain('workflowExecutionCompleted');
  expect(await attemptsOf('runChecks', workflowId)).toEqual([2]);
  await replays('verification-checks-repeated', workflowId, harness);
});

test('a masking that fails is repeated after a wait, by the same activity', async () => {
  const { workflowId, user, course } = await pending('live');
  masking.failures = 1;
  await submit(user);
  await expect.poll(course, { timeout: 30_000 }).toContain('workflowExecutionCompleted');
  expect(await attemptsOf('maskDocument', workflowId)).toEqual([2]);
  await replays('verification-masking-repeated', workflowId, harness);
});

test('a verdict on a submission that a restored database does not have is not recorded', async () => {
  const { id, workflowId, user, course } = await pending('live');
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  reader.held = promise;
  await submit(user);
  await harness.rows`update verifications set submitted_at = null where id = ${id}`;
  letGo();
  const putBack = /activityTaskCompleted markerRecorded timerStarted$/;
  await expect.poll(async () => (await course()).join(' ')).toMatch(putBack);
  await user.submit();
  await expect.poll(course).toContain('workflowExecutionCompleted');
  await replays('verification-put-back', workflowId, harness);
});

async function submit(user: Awaited<ReturnType<typeof pending>>['user']): Promise<void> {
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
}

test('a delivery is woken twice: before its time, and when it is due', async () => {
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: partner.key });
  await partner.receiver.waitFor(1);
  const delivery = async () => (await partner.deliveries())[0];
  await expect.poll(delivery).toMatchObject({ status: 'retrying' });
  const { id } = await delivery();
  const workflowId = deliveryWorkflowId(id);
  const sleeps = async () =>
    (await courseOf(workflowId, harness)).filter((kind) => kind === 'timerStarted').length;
  await expect.poll(sleeps).toBe(1);
  const { organisationId: orgId } = partner;
  const input = { deliveryId: id, orgId, verificationId: json.id, waitsMs: retryWaitsMs } as const;
  await harness.ctx.temporal.wakeDelivery({ ...input, environment: 'sandbox' });
  await expect.poll(sleeps).toBe(2);
  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 min' where id = ${id}`;
  await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs });
  await expect.poll(delivery).toMatchObject({ status: 'delivered' });
  await replays('delivery-woken', workflowId, harness);
});
