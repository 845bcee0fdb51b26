import { expect, test } from 'vitest';
import { deliveryHeaders, events } from '#contract/events.ts';

const VerificationCompleted = events['verification.completed'].body;

const event = {
  id: 'evt_01h',
  type: 'verification.completed',
  created: 1_767_225_600,
  environment: 'sandbox',
  data: {
    verification_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    reference: null,
    status: 'completed',
    outcome: 'approved',
    assurance_level: 'substantial',
    reasons: ['All checks passed.'],
  },
};

test('an event holds the fields of the specification', () => {
  expect(VerificationCompleted.parse(event)).toEqual(event);
});

test.each([
  ['a time in fractions of seconds', { ...event, created: 1_767_225_600.5 }],
  ['an id without its prefix', { ...event, id: '01h' }],
  ['a further field', { ...event, verify_url: 'https://verify.example' }],
  ['a further field of data', { ...event, data: { ...event.data, name: 'x' } }],
  ['no assurance level', { ...event, data: { ...event.data, assurance_level: null } }],
])('refuses %s', (_, body) => {
  expect(VerificationCompleted.safeParse(body).success).toBe(false);
});

test('the headers of a delivery have the names of the specification', () => {
  expect(Object.values(deliveryHeaders)).toEqual([
    'X-Service-Signature',
    'X-Service-Event',
    'X-Service-Delivery',
  ]);
});
