import { expect, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { covers } from '#test/requirements.ts';
import { untilAsleep } from '#test/support/asleep.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const pending = async (body: object = {}, sandbox: object = {}) =>
  (
    await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { ...body, sandbox: { auto_complete: false, ...sandbox } },
    })
  ).json;
const complete = (id: string, body?: unknown) =>
  call(harness, 'POST', `/v1/verifications/${id}/complete`, { key, body });

test('a pending sandbox verification completes, and reads as completed from then on', async () => {
  covers('3/complete-pending', '4.1/complete', '2.1/verdict-null-until-completed');
  const created = await pending({ reference: 'r' });
  expect(created).toMatchObject({ status: 'pending', verdict: null });
  const { status, json } = await complete(created.id);
  expect(status).toBe(200);
  expect(json).toEqual({
    ...created,
    status: 'completed',
    verdict: expect.objectContaining({ outcome: 'approved' }),
  });
  expect((await call(harness, 'GET', `/v1/verifications/${created.id}`, { key })).json).toEqual(json);
});

test('the outcome is the scenario given now, else the one given at creation', async () => {
  covers('3/complete-outcome', '4.1/complete-scenario');
  const given = await complete((await pending({}, { scenario: 'review' })).id, { scenario: 'rejected' });
  expect(given.json.verdict.outcome).toBe('rejected');
  const kept = await complete((await pending({}, { scenario: 'review' })).id);
  expect(kept.json.verdict.outcome).toBe('review');
});

test('a verification that the person has started can be completed as well', async () => {
  const { id } = await pending();
  await harness.rows`update verifications set status = 'in_progress' where id = ${id}`;
  expect((await complete(id)).json.status).toBe('completed');
});

test('a verification whose workflow was terminated by hand completes all the same', async () => {
  const { id } = await pending({}, { scenario: 'review' });
  await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).terminate('by hand');
  const { status, json } = await complete(id);
  expect(status).toBe(200);
  expect(json.verdict.outcome).toBe('review');
});

test('a verification whose link has expired and whose workflow has ended completes all the same', async () => {
  const { id } = await pending();
  // A run that has not begun yet would see that its link has expired, and end by itself.
  await untilAsleep(harness, id);
  await harness.rows`update verifications set link_expires_at = now() - interval '1 hour' where id = ${id}`;
  await harness.temporal.workflow.getHandle(verificationWorkflowId(id)).terminate('its link expired');
  expect((await complete(id)).status).toBe(200);
});
