import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
let sandbox: string;
let live: string;
beforeAll(async () => {
  harness = await startHarness();
  sandbox = (await harness.key()).key;
  live = (await harness.key({ environment: 'live' })).key;
});
afterAll(() => harness.stop());

const create = (key: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(harness, 'POST', '/v1/verifications', { key, body, headers });

describe('with a sandbox key', () => {
  test('a verification completes at once and answers with every field of the specification', async () => {
    const { status, json } = await create(sandbox, { reference: 'klant-42' });
    expect(status).toBe(201);
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
    const bare = await create(sandbox);
    const typed = await create(sandbox, undefined, { 'content-type': 'application/json' });
    for (const { status, json } of [bare, typed]) {
      expect(status).toBe(201);
      expect(json).toMatchObject({ method: 'document_liveness', reference: null, status: 'completed' });
    }
  });

  test.each(['approved', 'review', 'rejected'])('the outcome equals scenario %s', async (scenario) => {
    const { json } = await create(sandbox, { method: 'idin', sandbox: { scenario } });
    expect(json).toMatchObject({ status: 'completed', method: 'idin', verdict: { outcome: scenario } });
    expect(json.verdict.reasons).toHaveLength(1);
  });

  test('auto_complete false keeps it pending, without a verdict', async () => {
    const { json } = await create(sandbox, { sandbox: { auto_complete: false } });
    expect(json).toMatchObject({ status: 'pending', verdict: null });
  });

  test('a reference of 200 code points is kept as it is, four-byte characters and all', async () => {
    const reference = `${'😀'.repeat(199)}\u00e9`;
    const { status, json } = await create(sandbox, { reference });
    expect(status).toBe(201);
    expect(json.reference).toBe(reference);
  });
});

describe('with a live key', () => {
  test('a verification is pending and waits for its person', async () => {
    const { status, json } = await create(live, { method: 'document_only' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      status: 'pending',
      environment: 'live',
      method: 'document_only',
      verdict: null,
    });
  });

  test('the sandbox part of the body is ignored', async () => {
    const { json } = await create(live, { sandbox: { scenario: 'approved', auto_complete: true } });
    expect(json).toMatchObject({ status: 'pending', environment: 'live', verdict: null });
  });
});

test('every answer names its request anew', async () => {
  const [first, second] = [
    await create(sandbox),
    await create(sandbox, undefined, { 'x-request-id': 'req_mine' }),
  ];
  expect(first.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(second.headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(first.headers['x-request-id']).not.toBe(second.headers['x-request-id']);
});
