import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
const { key: live } = await harness.key({ environment: 'live' });

test.each<[string, unknown, string]>([
  [
    'an unknown method',
    { method: 'telepathy-7391' },
    'method must be one of document_liveness, idin, document_only.',
  ],
  [
    'a method of the wrong type',
    { method: 7391 },
    'method must be one of document_liveness, idin, document_only.',
  ],
  ['a reference that is no string', { reference: 7391 }, 'reference must be a string.'],
  ['a reference of null', { reference: null }, 'reference must be a string.'],
  [
    'a reference of 201 code points',
    { reference: 'x'.repeat(201) },
    'reference must be at most 200 characters.',
  ],
  [
    'U+0000 in the reference',
    { reference: 'a\u0000b' },
    'reference must not contain U+0000 or a lone surrogate.',
  ],
  ['a lone surrogate', { reference: '\ud800' }, 'reference must not contain U+0000 or a lone surrogate.'],
  ['an unknown field', { refrence: 'x' }, 'refrence is not a known field.'],
  [
    'an unknown field within',
    { sandbox: { autocomplete: true } },
    'sandbox.autocomplete is not a known field.',
  ],
  [
    'an unknown scenario',
    { sandbox: { scenario: 'maybe' } },
    'sandbox.scenario must be one of approved, review, rejected.',
  ],
  [
    'auto_complete as text',
    { sandbox: { auto_complete: 'false' } },
    'sandbox.auto_complete must be a boolean.',
  ],
  ['sandbox as an array', { sandbox: [] }, 'sandbox must be a JSON object.'],
  ['an array as body', [], 'The body must be a JSON object.'],
  ['null as body', null, 'The body must be a JSON object.'],
  ['a string as body', 'idin', 'The body must be a JSON object.'],
])('%s is invalid_parameter, and the message names the field', async (_, body, message) => {
  covers('4.1/create-422', '7.1/422-invalid-input');
  const { status, json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  expect(status).toBe(422);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_parameter', message });
  expect(json.error.message).not.toContain('7391');
});

test('the sandbox part is validated with a live key as well', async () => {
  const { status } = await call(harness, 'POST', '/v1/verifications', {
    key: live,
    body: { sandbox: { scenario: 'maybe' } },
  });
  expect(status).toBe(422);
});

test('a field called __proto__ is unknown like any other', async () => {
  const { status, json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    rawBody: '{"__proto__":{"method":"idin"}}',
  });
  expect(status).toBe(422);
  expect(json.error.message).toBe('__proto__ is not a known field.');
});

test('a body nested 20,000 deep is refused and harms nothing', async () => {
  const depth = 20_000;
  const { status } = await call(harness, 'POST', '/v1/verifications', {
    key,
    rawBody: `{"reference":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  });
  expect(status).toBe(422);
});

test('a method that live does not have is refused before anything is claimed', async () => {
  covers('7.1/422-invalid-input');
  const body = { method: 'idin' };
  const claims = () => harness.rows`select id from requests where environment = 'live'`;
  const refused = await call(harness, 'POST', '/v1/verifications', {
    key: live,
    body,
    headers: { 'idempotency-key': 'a bank in live' },
  });
  expect(refused.status).toBe(422);
  expect(refused.json.error).toMatchObject({ type: 'invalid_request_error', code: 'method_not_available' });
  expect(await claims()).toEqual([]);
});
