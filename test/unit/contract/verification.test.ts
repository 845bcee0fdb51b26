import { describe, expect, test } from 'vitest';
import { CompleteVerification, CreateVerification } from '#contract/verification.ts';
import { covers } from '#test/requirements.ts';

const create = (body: unknown) => CreateVerification.safeParse(body);

describe('the body that creates a verification', () => {
  covers('2.6/scenario-default', '2.6/method-default', '4.1/create-without-body');

  test('has every default', () => {
    expect(create({}).data).toEqual({
      method: 'document_liveness',
      sandbox: { scenario: 'approved', auto_complete: true },
    });
  });

  test('has the defaults of a sandbox given in part', () => {
    expect(create({ sandbox: {} }).data?.sandbox).toEqual({ scenario: 'approved', auto_complete: true });
    expect(create({ sandbox: { auto_complete: false } }).data?.sandbox).toEqual({
      scenario: 'approved',
      auto_complete: false,
    });
    expect(create({ sandbox: { scenario: 'review' } }).data?.sandbox).toEqual({
      scenario: 'review',
      auto_complete: true,
    });
  });

  test('knows the methods and scenarios of the specification and no other', () => {
    covers('2.6/methods', '2.6/scenarios', '4.1/create-method', '4.1/create-scenario');
    for (const method of ['document_liveness', 'idin', 'document_only'])
      expect(create({ method }).success).toBe(true);
    for (const scenario of ['approved', 'review', 'rejected'])
      expect(create({ sandbox: { scenario } }).success).toBe(true);
    expect(create({ method: 'passport' }).success).toBe(false);
    expect(create({ sandbox: { scenario: 'pending' } }).success).toBe(false);
  });

  test('takes a reference of 200 characters and refuses one of 201', () => {
    covers('4.1/create-reference', '8/reference-length');
    expect(create({ reference: 'é'.repeat(200) }).success).toBe(true);
    expect(create({ reference: '😀'.repeat(200) }).success).toBe(true);
    expect(create({ reference: 'é'.repeat(201) }).success).toBe(false);
  });

  test.each([
    ['an unknown field', { refrence: 'x' }],
    ['an unknown field of sandbox', { sandbox: { autoComplete: false } }],
    ['a field named __proto__', JSON.parse('{"__proto__": {}}')],
    ['null as method', { method: null }],
    ['null as reference', { reference: null }],
    ['null as sandbox', { sandbox: null }],
    ['a word for a boolean', { sandbox: { auto_complete: 'false' } }],
    ['a number for a boolean', { sandbox: { auto_complete: 0 } }],
    ['a number as reference', { reference: 42 }],
    ['a value in other letters', { method: 'IDIN' }],
    ['an array', []],
    ['a string', 'idin'],
    ['null', null],
  ])('refuses %s', (_, body) => {
    expect(create(body).success).toBe(false);
  });
});

describe('the body that completes a verification', () => {
  test('names a scenario or nothing', () => {
    covers('4.1/complete-scenario');
    expect(CompleteVerification.parse({})).toEqual({});
    expect(CompleteVerification.parse({ scenario: 'rejected' })).toEqual({ scenario: 'rejected' });
  });

  test.each([{ scenario: 'completed' }, { scenario: null }, { outcome: 'approved' }])(
    'refuses %j',
    (body) => {
      expect(CompleteVerification.safeParse(body).success).toBe(false);
    },
  );
});
