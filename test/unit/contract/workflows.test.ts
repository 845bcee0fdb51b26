import { expect, test } from 'vitest';
import {
  banksQueueBeside,
  checksQueueBeside,
  completeUpdate,
  createUpdate,
  deliveryWorkflowId,
  dossierWorkflowId,
  expiring,
  housekeepingPartId,
  looksQueueBeside,
  masksQueueBeside,
  scheduleIds,
  searchAttributes,
  startUpdate,
  submitUpdate,
  taskQueues,
  verificationWorkflowId,
  workflowNames,
} from '#contract/workflows.ts';

test('what runs on a server keeps its name: histories and running workflows know no other', () => {
  expect(verificationWorkflowId('7')).toBe('verification/7');
  expect(deliveryWorkflowId('7')).toBe('delivery/7');
  expect(dossierWorkflowId('7')).toBe('dossier/7');
  expect(workflowNames).toEqual({
    verification: 'verification',
    delivery: 'delivery',
    housekeeping: 'housekeeping',
    purge: 'purge',
    signLedger: 'signLedger',
    dossier: 'dossier',
  });
  expect(housekeepingPartId('housekeeping-2026-11-22T15:00:00Z', 'evidence')).toBe('housekeeping/evidence');
  expect(scheduleIds).toEqual({ housekeeping: 'housekeeping' });
  expect(expiring).toEqual([
    'evidence',
    'claims',
    'webhook_secrets',
    'event_bodies',
    'response_excerpts',
    'request_log',
    'requests',
    'abandoned_verifications',
    'completed_verifications',
  ]);
  const queues = ['verifications', 'webhooks', 'checks', 'looks', 'masks', 'banks'];
  expect(taskQueues).toEqual(Object.fromEntries(queues.map((queue) => [queue, queue])));
  expect(
    [checksQueueBeside, looksQueueBeside, masksQueueBeside, banksQueueBeside].map((beside) =>
      beside('verifications'),
    ),
  ).toEqual(['checks', 'looks', 'masks', 'banks']);
  expect([createUpdate.name, createUpdate.id, completeUpdate.name]).toEqual(['create', 'create', 'complete']);
  expect([startUpdate.name, submitUpdate.name]).toEqual(['start', 'submit']);
  expect(Object.values(searchAttributes).map(({ name }) => name)).toEqual([
    'OrgId',
    'Environment',
    'VerificationId',
    'VerificationStatus',
    'DeliveryStatus',
    'Attempt',
    'NextAttemptAt',
    'SecretsKeyId',
  ]);
});
