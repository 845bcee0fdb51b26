import { expect, test } from 'vitest';
import {
  checksQueueBeside,
  completeUpdate,
  createUpdate,
  deliveryWorkflowId,
  expiring,
  housekeepingPartId,
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
  expect(workflowNames).toEqual({
    verification: 'verification',
    delivery: 'delivery',
    housekeeping: 'housekeeping',
    purge: 'purge',
    signLedger: 'signLedger',
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
  expect(taskQueues).toEqual({ verifications: 'verifications', webhooks: 'webhooks', checks: 'checks' });
  expect(checksQueueBeside('verifications')).toBe('checks');
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
