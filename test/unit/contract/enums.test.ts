import { expect, test } from 'vitest';
import * as enums from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { covers } from '#test/requirements.ts';

test('the vocabularies are those of the specification', () => {
  covers('3/statuses', '5/scopes');
  expect(enums.verificationStatuses).toEqual(['pending', 'in_progress', 'completed']);
  expect(enums.environments).toEqual(['sandbox', 'live']);
  expect(enums.methods).toEqual(['document_liveness', 'idin', 'document_only']);
  expect(enums.scenarios).toEqual(['approved', 'review', 'rejected']);
  expect(enums.outcomes).toEqual(['approved', 'review', 'rejected']);
  expect(enums.assuranceLevels).toEqual(['low', 'substantial', 'high']);
  expect(enums.grants).toEqual(['verify:create', 'verify:read', 'webhooks:manage']);
  expect(enums.webhookEnvironments).toEqual(['all', 'sandbox', 'live']);
});

test('the limits are those of the specification', () => {
  expect(limits).toMatchObject({
    referenceLengthMax: 200,
    webhookDescriptionLengthMax: 200,
    signatureAgeSecondsMax: 300,
    deliveryAttemptsMax: 6,
  });
});
