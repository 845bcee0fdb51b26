import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [50, 50] });

test('retries queue behind first attempts, and organisations in turn', async () => {
  const receiver = await startReceiver({ status: 500 }, { status: 500 }, { status: 200 });
  const { key, organisationId } = await harness.key();
  await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });
  await call(harness, 'POST', '/v1/verifications', { key });
  await receiver.waitFor(3);
  const rows = await harness.rows<{ id: string }>`select id from deliveries`;
  const workflow = harness.temporal.workflow.getHandle(deliveryWorkflowId(rows[0]?.id ?? ''));
  await workflow.result();
  const { events } = await workflow.fetchHistory();

  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(started?.priority?.fairnessKey).toBe(organisationId);
  const priorities = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.priority?.priorityKey || 3] : [],
  );
  expect(priorities).toEqual([3, 4, 4]);
  await receiver.stop();
});
