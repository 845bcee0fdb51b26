import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

const create = (body: unknown, withKey = key) =>
  call(harness, 'POST', '/v1/webhooks', { key: withKey, body });

test.each([
  'http://hooks.example.com/kyc',
  'ftp://hooks.example.com/kyc',
  'hooks.example.com',
  'https://',
  'https://user:pass@hooks.example.com/',
  'https://hooks.example.com/#top',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:80/',
  'https://intranet/',
  'https://printer.local/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https:///hook',
  'https://[fe80::1%25eth0]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://0x0a.1/',
  'https://167772161/',
  'https://012.0.0.1/',
  'https://10.1/',
  'https://10.0.0.1./',
  'https://１０.0.0.1/',
  'https:/\\10.0.0.1/',
  'https://10。0。0。1/',
  'https://hooks.exam\tple.com/',
  'https://hooks.example.com/\n',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:25/',
  'https://hooks.example.com:6379x/',
  'https://hooks.example.com:65536/',
  'https://metadata.google.internal/',
  'https://metadata.google.internal./',
  'https://hooks.example.com./hook',
  'https://@hooks.example.com/h',
  'https:hooks.example.com/h',
  'https://hooks.example.com\\@evil.example/h',
  'https://h%6foks.example.com/h',
  'https://bücher.example/h',
  'https://hooks.example.com/a/../h',
  'https://134744072/',
  `https://hooks.example.com/${'x'.repeat(2_048)}`,
])('%s is invalid_url', async (url) => {
  covers('4.1/webhook-create-422', '4.1/webhook-url', '7.1/422-invalid-input');
  const { status, json } = await create({ url });
  expect(status).toBe(422);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_url' });
});

test.each<[string, unknown, string]>([
  ['no url', {}, 'url is required.'],
  ['a url that is no string', { url: 1 }, 'url must be a string.'],
  [
    'a description of 201 characters',
    { url: 'https://a.example', description: 'x'.repeat(201) },
    'description must be at most 200 characters.',
  ],
  ['no event types', { url: 'https://a.example', event_types: [] }, 'event_types must not be empty.'],
  [
    'an unknown event type',
    { url: 'https://a.example', event_types: ['webhook.test'] },
    'event_types.0 must be one of verification.completed, verification.reviewed, income_check.completed, income_check.reviewed.',
  ],
  [
    'an unknown environment',
    { url: 'https://a.example', environment: 'test' },
    'environment must be one of all, sandbox, live.',
  ],
  [
    'a lone surrogate in the url',
    { url: 'https://a.example/\ud800' },
    'url must not contain U+0000 or a lone surrogate.',
  ],
  [
    'U+0000 in the url',
    { url: 'https://a.example/\u0000' },
    'url must not contain U+0000 or a lone surrogate.',
  ],
  ['an unknown field', { url: 'https://a.example', secret: 'mine' }, 'secret is not a known field.'],
])('%s is invalid_parameter', async (_, body, message) => {
  covers('4.1/webhook-create-422', '7.1/422-invalid-input');
  const { status, json } = await create(body);
  expect(status).toBe(422);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'invalid_parameter', message });
});

test.each([{}, { 'content-type': 'application/json' }])(
  'no body at all, with headers %j, is invalid_parameter, since url is required',
  async (headers) => {
    covers('4.1/webhook-create-body-required');
    const { status, json } = await call(harness, 'POST', '/v1/webhooks', { key, headers });
    expect(status).toBe(422);
    expect(json.error).toMatchObject({ code: 'invalid_parameter', message: 'url is required.' });
  },
);

test('the 501st active endpoint is too_many_webhooks, however many ask at once', async () => {
  const { key: full, organisationId } = await harness.key({ org: 'Full' });
  await harness.rows`
    insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
    select gen_random_uuid(), ${organisationId}, 'https://a.example', '{verification.completed}', 'all', ''
    from generate_series(1, 498)`;
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => create({ url: 'https://a.example' }, full)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.json.error.code).toBe('too_many_webhooks');
});
