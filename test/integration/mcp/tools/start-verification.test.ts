import { expect, test } from 'vitest';
import { methods, scenarios } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';

const harness = await startHarness();
const { key } = await harness.key();
const start = (given?: object, withKey = key) =>
  callTool(harness, withKey, 'start_verification', given as Record<string, unknown>);

test('without arguments it is what REST creates without a body, in the words of the agent interface', async () => {
  covers(
    '4.2/start-verification',
    '4.2/start-verification-next-step',
    '4.3/verify-url',
    '2.2/agent-checks-not-reasons',
  );
  const { headers: _, isError, ...started } = await start();
  expect(isError).toBe(false);
  const { json: same } = await call(harness, 'GET', `/v1/verifications/${started.id}`, { key });
  const { reasons: __, ...verdict } = same.verdict;
  expect(started).toEqual({
    id: same.id,
    object: 'verification',
    status: 'completed',
    environment: 'sandbox',
    method: 'document_liveness',
    created_at: same.created_at,
    verdict: { ...verdict, checks: sandboxDecision('document_liveness', 'approved').checks },
    verify_url: same.verify_url,
    next_step: expect.stringMatching(/^Nothing is left to do/),
  });
});

test('null for an argument is as if it were absent', async () => {
  const given = { method: null, reference: null, sandbox_scenario: null, auto_complete: null };
  const { isError, id, status, method, verdict } = await start(given);
  expect([isError, status, method, verdict.outcome]).toEqual([
    false,
    'completed',
    'document_liveness',
    'approved',
  ]);
  const { json } = await call(harness, 'GET', `/v1/verifications/${id}`, { key });
  expect(json.reference).toBeNull();
});

test.each(scenarios.flatMap((scenario) => methods.map((method) => [method, scenario] as const)))(
  '%s with scenario %s ends as its table says',
  async (method, scenario) => {
    covers('4.2/start-verification', '2.2/agent-check-shape');
    const { verdict } = await start({ method, sandbox_scenario: scenario });
    const { outcome, checks } = sandboxDecision(method, scenario);
    expect(verdict).toMatchObject({ outcome, checks, reviewed: false });
  },
);

test('with auto_complete false it is pending, and the next step is to stand in for the person', async () => {
  covers('4.2/start-verification', '4.2/start-verification-next-step');
  const { status, verdict, next_step, verify_url } = await start({
    auto_complete: false,
    sandbox_scenario: 'review',
  });
  expect([status, verdict]).toEqual(['pending', null]);
  expect(next_step).toContain('complete_verification');
  expect(next_step).toContain('get_verification');
  expect((await call(harness, 'GET', new URL(verify_url).pathname)).status).toBe(200);
});

test('with a live key it is pending whatever sandbox says, and the next step is the person', async () => {
  covers('4.2/start-verification-next-step', '1/verify-url-given');
  const { key: live } = await harness.key({ environment: 'live' });
  const { status, environment, next_step } = await start(
    { auto_complete: true, sandbox_scenario: 'rejected' },
    live,
  );
  expect([status, environment]).toEqual(['pending', 'live']);
  expect(next_step).toMatch(/^Give verify_url to the person to verify/);
  expect(next_step).toContain('get_verification');
  expect(next_step).not.toContain('complete_verification');
});

test('the reference is kept for REST and webhooks, and is not returned', async () => {
  covers('4.3/reference', '4.2/start-verification');
  const reference = 'é'.repeat(limits.referenceLengthMax);
  const started = await start({ reference });
  expect(JSON.stringify(started)).not.toContain('é');
  const { json } = await call(harness, 'GET', `/v1/verifications/${started.id}`, { key });
  expect(json.reference).toBe(reference);
});

test.each<[string, object, string]>([
  ['a hallucinated argument', { customer_name: 'x' }, 'There is an argument that this tool does not know.'],
  [
    'the body of REST',
    { sandbox: { scenario: 'review' } },
    'There is an argument that this tool does not know.',
  ],
  [
    '__proto__',
    JSON.parse('{"__proto__":{"method":"idin"}}'),
    'There is an argument that this tool does not know.',
  ],
  ['constructor', { constructor: 1 }, 'There is an argument that this tool does not know.'],
  [
    'an unknown method',
    { method: 'passport' },
    'method must be one of document_liveness, idin, document_only.',
  ],
  ['a number', { reference: 7 }, 'reference must be a string.'],
  ['a list', { reference: [] }, 'reference must be a string.'],
  ['too long a reference', { reference: 'x'.repeat(201) }, 'reference must be at most 200 characters.'],
  ['U+0000', { reference: 'a\u0000b' }, 'reference must not contain U+0000 or a lone surrogate.'],
  ['a lone surrogate', { reference: 'a\ud800b' }, 'reference must not contain U+0000 or a lone surrogate.'],
  ['text for a boolean', { auto_complete: 'false' }, 'auto_complete must be a boolean.'],
])('%s is refused by a result that names the allowed arguments', async (_, given, sentence) => {
  covers('4.2/tool-failure-is-a-result', '4.2/tool-result');
  const { isError, error } = await start(given);
  expect(isError).toBe(true);
  expect(error).toEqual({
    code: 'invalid_parameter',
    message: `${sentence} Allowed arguments: method, reference, sandbox_scenario, auto_complete.`,
  });
});

test('a method that live does not have is an error of the tool, and nothing is started', async () => {
  const { key: live } = await harness.key({ environment: 'live', org: 'Without a bank' });
  const { isError, error } = await start({ method: 'idin' }, live);
  expect([isError, error.code]).toEqual([true, 'method_not_available']);
  const { json } = await call(harness, 'GET', '/v1/verifications', { key: live });
  expect(json.data).toEqual([]);
});
