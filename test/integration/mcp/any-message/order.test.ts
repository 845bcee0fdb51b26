import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });

/**
 * Tests the order of decision 25. For each fault, one request has this fault and all later faults of the list. The error must name
 * this fault.
 */
const faults = {
  method_not_allowed: { method: 'PUT' },
  origin_not_allowed: { headers: { origin: 'https://evil.example' } },
  unsupported_media_type: { headers: { 'content-type': 'text/plain' } },
  missing_api_key: {},
  rate_limit_exceeded: {},
  invalid_json: {},
  invalid_message: {},
  unknown_method: {},
  unsupported_protocol_version: { headers: { 'mcp-protocol-version': '1' } },
  unknown_tool: {},
  insufficient_scope: {},
} as const;
const order = Object.keys(faults) as (keyof typeof faults)[];

const bodies: Partial<Record<keyof typeof faults, string>> = {
  invalid_message: JSON.stringify([message('nope')]),
  unknown_method: JSON.stringify(message('nope')),
  unsupported_protocol_version: JSON.stringify(message('tools/call', { name: 'nope' })),
  unknown_tool: JSON.stringify(message('tools/call', { name: 'nope', arguments: { a: 1 } })),
  insufficient_scope: JSON.stringify(message('tools/call', { name: 'list_webhooks', arguments: { a: 1 } })),
};

test.each(order)('%s is reported before every later error', async (first) => {
  const left = order.slice(order.indexOf(first));
  const has = (fault: keyof typeof faults) => left.includes(fault);
  const { key } = await harness.key({ grants: [], rateLimit: 1 });
  const free = (await harness.key({ grants: [] })).key;
  if (has('rate_limit_exceeded')) await rpc(harness, message('ping'), { key });
  const options = left.map((fault) => faults[fault] as { method?: string; headers?: Record<string, string> });
  const { json } = await rpc(harness, undefined, {
    method: options.find(({ method }) => method)?.method ?? 'POST',
    headers: Object.assign({}, ...options.map(({ headers }) => headers)),
    key: has('missing_api_key') ? undefined : has('rate_limit_exceeded') ? key : free,
    rawBody: has('invalid_json') ? '{broken' : (bodies[first] ?? ''),
  });
  expect(json.error.data.code).toBe(first);
});

test('the arguments are checked last, and the error names what the tool takes', async () => {
  const { key } = await harness.key({ grants: ['webhooks:manage'] });
  const { status, json } = await rpc(
    harness,
    message('tools/call', { name: 'list_webhooks', arguments: { a: 1 } }),
    { key },
  );
  expect([status, json.result.isError]).toEqual([200, true]);
  expect(json.result.structuredContent.error).toEqual({
    code: 'invalid_parameter',
    message: 'There is an argument that this tool does not know. It takes no arguments.',
  });
});
