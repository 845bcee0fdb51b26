import { describe, expect, test } from 'vitest';
import type { EvidenceKind } from '#contract/enums.ts';
import { evidenceFor, type FlowState, replacedBy, stepOf } from '#policy/flow.ts';
import type { Step } from '#policy/steps.ts';

const started: FlowState = {
  environment: 'live',
  method: 'document_liveness',
  status: 'in_progress',
  submitted: false,
  linkExpired: false,
  cancelled: false,
  withdrawnAt: null,
  received: [],
};
const step = (differing: Partial<FlowState>) => stepOf({ ...started, ...differing });

describe('what is asked for next', () => {
  test.each<[EvidenceKind[], Step]>([
    [[], 'document'],
    [['passport_page'], 'selfie'],
    [['card_front'], 'card_back'],
    [['card_back'], 'document'],
    [['card_front', 'card_back'], 'selfie'],
    [['selfie'], 'document'],
    [['passport_page', 'selfie'], 'movements'],
    [['passport_page', 'movements'], 'selfie'],
    [['selfie', 'movements'], 'document'],
    [['passport_page', 'selfie', 'movements'], 'confirm'],
    [['card_front', 'card_back', 'selfie', 'movements'], 'confirm'],
  ])('with document and face, after %j: %s', (received, next) => {
    expect(step({ received })).toBe(next);
  });

  test('with a document alone no face is asked for', () => {
    expect(step({ method: 'document_only', received: ['passport_page'] })).toBe('confirm');
  });

  test('a bank is asked for in sandbox alone', () => {
    expect(step({ method: 'idin', environment: 'sandbox' })).toBe('bank');
    expect(step({ method: 'idin', environment: 'sandbox', received: ['bank'] })).toBe('confirm');
    expect(step({ method: 'idin' })).toBe('no_bank');
    expect(step({ method: 'idin', connected: true })).toBe('bank');
    expect(evidenceFor('live', 'idin')).toEqual([]);
  });

  test('what a live bank confirmed is sent with it, also if the row was read before', () => {
    expect(step({ method: 'idin', connected: true, received: ['bank'] })).toBe('checking');
  });
});

test('before the start there is the welcome, and an expired link ends what is open, but not what was sent', () => {
  expect(step({ status: 'pending' })).toBe('welcome');
  expect(step({ status: 'pending', linkExpired: true })).toBe('expired');
  expect(step({ linkExpired: true })).toBe('expired');
  expect(step({ submitted: true, linkExpired: true })).toBe('checking');
  expect(step({ status: 'completed', submitted: true, linkExpired: true })).toBe('done');
});

test('a passport and a card take each other’s place and that of what was read, a face nobody’s', () => {
  expect(replacedBy('passport_page')).toEqual(['card_front', 'card_back', 'fields']);
  expect(replacedBy('card_front')).toEqual(['passport_page', 'fields']);
  expect(replacedBy('selfie')).toEqual([]);
});
