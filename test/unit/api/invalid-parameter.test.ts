import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { invalidParameter } from '#api/rest/invalid-parameter.ts';
import { CreateVerification } from '#contract/verification.ts';
import { CreateWebhook, NoFields, RotateSecret } from '#contract/webhook.ts';

type Schema = z.ZodObject;

function problemWith(schema: Schema, body: unknown) {
  const { error } = schema.safeParse(body, { reportInput: true });
  if (error === undefined) throw new Error('the body is valid');
  return invalidParameter(error);
}

const url = 'https://partner.example';

test.each<[Schema, unknown, string]>([
  [CreateVerification, [], 'The body must be a JSON object.'],
  [CreateVerification, 'x', 'The body must be a JSON object.'],
  [CreateVerification, { refrence: 'x' }, 'refrence is not a known field.'],
  [CreateVerification, { sandbox: { auto: true } }, 'sandbox.auto is not a known field.'],
  [CreateVerification, { method: 'x' }, 'method must be one of document_liveness, idin, document_only.'],
  [
    CreateVerification,
    { sandbox: { scenario: 7 } },
    'sandbox.scenario must be one of approved, review, rejected.',
  ],
  [CreateVerification, { sandbox: { auto_complete: 'no' } }, 'sandbox.auto_complete must be a boolean.'],
  [CreateVerification, { sandbox: [] }, 'sandbox must be a JSON object.'],
  [CreateVerification, { reference: 42 }, 'reference must be a string.'],
  [CreateVerification, { reference: null }, 'reference must be a string.'],
  [CreateVerification, { reference: 'a'.repeat(201) }, 'reference must be at most 200 characters.'],
  [CreateVerification, { reference: '\u0000' }, 'reference must not contain U+0000 or a lone surrogate.'],
  [CreateWebhook, {}, 'url is required.'],
  [CreateWebhook, { url: null }, 'url must be a string.'],
  [CreateWebhook, { url, event_types: [] }, 'event_types must not be empty.'],
  [CreateWebhook, { url, event_types: 'x' }, 'event_types must be an array.'],
  [
    CreateWebhook,
    { url, event_types: ['verification.completed', 'x'] },
    'event_types.1 must be one of verification.completed, verification.reviewed, income_check.completed, income_check.reviewed.',
  ],
  [RotateSecret, { overlap_hours: -1 }, 'overlap_hours must be at least 0.'],
  [RotateSecret, { overlap_hours: 169 }, 'overlap_hours must be at most 168.'],
  [RotateSecret, { overlap_hours: 1.5 }, 'overlap_hours must be an integer.'],
  [RotateSecret, { overlap_hours: '24' }, 'overlap_hours must be a number.'],
  [NoFields, { overlap_hours: 1 }, 'overlap_hours is not a known field.'],
])('the sentence names the field at fault (%#)', (schema, body, sentence) => {
  const problem = problemWith(schema, body);
  expect(problem.code).toBe('invalid_parameter');
  expect(problem.message).toBe(sentence);
});

describe('the sentence never repeats a value', () => {
  const personal = 'Jansen-1970-01-01';

  test.each<[Schema, unknown]>([
    [CreateVerification, personal],
    [CreateVerification, [personal]],
    [CreateVerification, { method: personal }],
    [CreateVerification, { method: [personal] }],
    [CreateVerification, { unknown: personal }],
    [CreateVerification, { reference: personal.repeat(20) }],
    [CreateVerification, { reference: { personal } }],
    [CreateVerification, { reference: `${personal}\u0000` }],
    [CreateVerification, { sandbox: personal }],
    [CreateVerification, { sandbox: { scenario: personal, auto_complete: personal } }],
    [CreateWebhook, { url: [personal] }],
    [CreateWebhook, { url, description: `${personal}\ud800` }],
    [CreateWebhook, { url, event_types: [personal] }],
    [CreateWebhook, { url, environment: personal }],
  ])('(%#)', (schema, body) => {
    expect(problemWith(schema, body).message).not.toContain(personal);
  });

  test('and of an unknown name no more than is needed to find it', () => {
    expect(problemWith(CreateVerification, { ['x'.repeat(1_000)]: 1 }).message).toBe(
      `${'x'.repeat(64)}… is not a known field.`,
    );
    expect(problemWith(CreateVerification, { 'a\r\nb\u202e': 1 }).message).toBe(
      'a??b? is not a known field.',
    );
  });
});
