import { expect, test } from 'vitest';
import { taskQueues, verificationWorkflowId } from '#contract/workflows.ts';
import { sandboxDecision } from '#policy/sandbox.ts';
import { recordVerdict } from '#services/verifications/record.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/partner.ts';
import { anyPicture, person } from '#test/support/person.ts';
import { storedOf } from '../verify/stored.ts';

/** Somebody without a key reaches Temporal and wants a live approval. */

const harness = await startHarness();
const stored = storedOf(harness);
const partner = await startPartner(harness, { environment: 'live' });
const { key } = partner;

async function readyToSend() {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
}

const statusOf = async (id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status;

const expectNothingSigned = async (id: string) => {
  expect(await statusOf(id)).toBe('in_progress');
  expect(await stored.lines(id)).not.toContain('verification.completed');
  expect(partner.receiver.received).toEqual([]);
};

test('a run that was started by hand with an approving sandbox plan approves nobody in live', async () => {
  const { id, user } = await readyToSend();
  const { workflow } = harness.temporal;
  const workflowId = verificationWorkflowId(id);
  const { raw } = await workflow.getHandle(workflowId).describe();
  await workflow.getHandle(workflowId).terminate('attack');
  const sandbox = { scenario: 'approved', autoComplete: false };
  const forged = { verificationId: id, orgId: 'x', environment: 'sandbox', method: 'document_only', sandbox };
  await workflow.start('verification', {
    workflowId,
    taskQueue: raw.executionConfig?.taskQueue?.name ?? taskQueues.verifications,
    args: [forged],
  });
  await user.submit();
  await expect.poll(() => stored.lines(id)).toContain('verification.submitted');
  const handle = workflow.getHandle(workflowId);
  const verdicts = async () =>
    ((await handle.fetchHistory()).events ?? []).filter(
      (event) => JSON.stringify(event.markerRecordedEventAttributes ?? {}).length > 2,
    ).length;
  // The run records its first step and the submission, and then tries to record its verdict.
  await expect.poll(verdicts).toBeGreaterThanOrEqual(3);
  await expectNothingSigned(id);
});

test.each([
  ['an approval', { outcome: 'approved', assuranceLevel: 'low', reviewed: false }],
  ['a higher assurance', { outcome: 'review', assuranceLevel: 'substantial', reviewed: false }],
  ['a review by a person', { outcome: 'review', assuranceLevel: 'low', reviewed: true }],
] as const)('%s that a machine gives in live is not recorded', async (_, claims) => {
  const { id } = await readyToSend();
  await harness.rows`update verifications set submitted_at = now() where id = ${id}`;
  const decision = { ...sandboxDecision('document_only', 'approved'), ...claims };
  const order = {
    verificationId: id,
    orgId: partner.organisationId,
    environment: 'live',
    requestId: null,
    decision,
  } as const;
  expect(await recordVerdict(harness.ctx, order)).toMatchObject({ deliveryIds: [], instead: {} });
  await expectNothingSigned(id);
});
