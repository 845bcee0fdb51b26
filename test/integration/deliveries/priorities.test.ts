import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [50, 50] });

const prioritiesOf = async (trigger: 'event' | 'test') => {
  const [{ id } = {}] = await harness.rows<{
    id: string;
  }>`select id from deliveries where trigger = ${trigger}`;
  const workflow = harness.temporal.workflow.getHandle(deliveryWorkflowId(id ?? ''));
  await workflow.result();
  const { events = [] } = await workflow.fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const activities = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.priority?.priorityKey || 3] : [],
  );
  return { fairnessKey: started?.priority?.fairnessKey, activities };
};

test('retries queue behind first attempts, and organisations in turn', async () => {
  const receiver = await startReceiver({ status: 500 }, { status: 500 }, { status: 200 });
  const { key, organisationId: fairnessKey } = await harness.key();
  const { json: webhook } = await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  await call(harness, 'POST', '/v1/verifications', { key });
  await receiver.waitFor(3);
  // The first attempt of an event leaves with the event, and is awaited by an activity only if it is slow.
  const ofEvent = await prioritiesOf('event');
  expect({ ...ofEvent, activities: ofEvent.activities.slice(-2) }).toEqual({
    fairnessKey,
    activities: [4, 4],
  });
  await call(harness, 'POST', `/v1/webhooks/${webhook.id}/test`, { key });
  await receiver.waitFor(4);
  expect(await prioritiesOf('test')).toEqual({ fairnessKey, activities: [3] });
  await receiver.stop();
});
