import { describe, expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key: sandbox } = await harness.key();
const { key: live } = await harness.key({ environment: 'live' });

const create = (key: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(harness, 'POST', '/v1/verifications', { key, body, headers });
const read = async (key: string, id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const open = async (link: string) => (await call(harness, 'GET', new URL(link).pathname)).status;

describe('with a sandbox key', () => {
  test('a verification completes at once and answers with every field of the specification', async () => {
    covers('1/verify-url-given', '2/json-bodies', '2/iso-timestamps', '4.1/create');
    covers('2.1/id', '2.1/object', '2.1/environment', '2.1/reference', '2.1/verify-url', '2.1/dossier-ref');
    covers('2.1/created-at', '2.2/outcome', '2.2/assurance-level', '2.2/reasons', '2.2/reviewed');
    covers('4.1/create-idempotency-key-optional');
    const { status, json, headers } = await create(sandbox, { reference: 'klant-42' });
    expect(status).toBe(201);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      object: 'verification',
      status: 'completed',
      environment: 'sandbox',
      method: 'document_liveness',
      reference: 'klant-42',
      verify_url: expect.stringMatching(
        /^https:\/\/verify\.partner-test\.example\/verify\/[A-Za-z0-9_-]{64}$/,
      ),
      verdict: {
        outcome: 'approved',
        assurance_level: 'substantial',
        reasons: ['All checks passed.'],
        reviewed: false,
      },
      dossier_ref: expect.stringMatching(/^dos_[0-9a-z]{26}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('the whole body may be left out, with or without a content type', async () => {
    covers('4.1/create-without-body', '2.6/method-default', '2.6/scenario-default');
    const bare = await create(sandbox);
    const typed = await create(sandbox, undefined, { 'content-type': 'application/json' });
    for (const { status, json } of [bare, typed]) {
      expect(status).toBe(201);
      expect(json).toMatchObject({
        method: 'document_liveness',
        reference: null,
        status: 'completed',
        verdict: { outcome: 'approved' },
      });
    }
  });

  test.each([
    ['approved', 'substantial'],
    ['review', 'low'],
    ['rejected', 'low'],
  ])('the outcome equals scenario %s', async (scenario, assurance_level) => {
    covers('3/sandbox-created-completed-outcome', '2.2/outcome', '2.2/assurance-level', '2.2/reasons');
    const { json } = await create(sandbox, { method: 'idin', sandbox: { scenario } });
    expect(json).toMatchObject({ status: 'completed', method: 'idin' });
    expect(json.verdict).toEqual({
      outcome: scenario,
      assurance_level,
      reasons: [expect.stringMatching(/\.$/)],
      reviewed: false,
    });
  });

  test.each(['document_liveness', 'idin', 'document_only'])('method %s is kept', async (method) => {
    covers('2.1/method', '2.6/methods');
    const { status, json } = await create(sandbox, { method });
    expect([status, json.method]).toEqual([201, method]);
  });

  test.each([{}, { sandbox: {} }, { sandbox: { auto_complete: true } }])(
    'it is completed at once, and reads so, when the body is %j',
    async (body) => {
      covers('3/sandbox-created-completed', '4.1/create-auto-complete');
      const { status, json } = await create(sandbox, body);
      expect(status).toBe(201);
      expect(json.status).toBe('completed');
      expect(await read(sandbox, json.id)).toEqual(json);
    },
  );

  test('auto_complete false keeps it pending, without a verdict and with a link that opens', async () => {
    covers('3/sandbox-created-pending', '4.1/create-auto-complete-false', '2.1/verdict-null-until-completed');
    const { status, json } = await create(sandbox, { sandbox: { auto_complete: false } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: 'pending', verdict: null });
    expect(await read(sandbox, json.id)).toEqual(json);
    expect(await open(json.verify_url)).toBe(200);
  });

  test('a reference of 200 code points is kept as it is, four-byte characters and all', async () => {
    covers('2.1/reference', '4.1/create-reference');
    const reference = `${'😀'.repeat(199)}\u00e9`;
    const { status, json } = await create(sandbox, { reference });
    expect(status).toBe(201);
    expect(json.reference).toBe(reference);
  });
});

describe('with a live key', () => {
  test('a verification is pending and waits for its person behind a link that opens', async () => {
    covers(
      '1/verify-url-given',
      '2.1/environment',
      '2.1/verdict-null-until-completed',
      '3/live-created-pending',
    );
    const { status, json } = await create(live, { method: 'document_only' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      status: 'pending',
      environment: 'live',
      method: 'document_only',
      verdict: null,
    });
    expect(await read(live, json.id)).toEqual(json);
    expect(await open(json.verify_url)).toBe(200);
  });

  test('the sandbox part of the body is ignored', async () => {
    covers('4.1/create-sandbox-in-live');
    const { status, json } = await create(live, { sandbox: { scenario: 'approved', auto_complete: true } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: 'pending', environment: 'live', verdict: null });
  });
});

test.each([
  ['svc_test_', 'sandbox'],
  ['svc_live_', 'live'],
])('a key with the prefix %s selects %s', async (prefix, environment) => {
  covers('1/environment-by-key-prefix', '2.1/environment');
  const key = [sandbox, live].find((key) => key.startsWith(prefix));
  expect((await create(String(key))).json.environment).toBe(environment);
});

test('every answer has a request id of its own', async () => {
  const [first, second] = [
    await create(sandbox),
    await create(sandbox, undefined, { 'x-request-id': 'req_mine' }),
  ];
  expect(first.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(second.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
});
