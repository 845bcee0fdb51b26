import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { request } from 'undici';
import { expect } from 'vitest';
import { toolLists } from '#api/mcp/describe.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { rpcCodeOf } from '#contract/rpc-errors.ts';
import { plantPrivateParts } from '../run-logs.ts';

type Options = {
  key?: string | undefined;
  method?: string;
  /** A list is sent as a header of its own for each value. */
  headers?: Record<string, string | string[]>;
  /** Sent unchanged, in place of a message. */
  rawBody?: string | Buffer;
};

/** Makes one call of the agent interface, and checks what every answer must have. */
export async function rpc(harness: { url: string }, message: unknown, options: Options = {}) {
  const { key, method = 'POST', headers, rawBody } = options;
  const payload = rawBody ?? (message === undefined ? undefined : JSON.stringify(message));
  const response = await request(`${harness.url}/mcp`, {
    method: method as 'POST',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(payload !== undefined && { body: payload }),
  });
  const text = await response.body.text();
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong shape fails its assertion
  const json: any = text === '' ? undefined : JSON.parse(text);
  const answer = { status: response.statusCode, headers: response.headers, text, json };
  plantPrivateParts([message, json]);
  expectWhatEveryAnswerOwes(answer);
  return answer;
}

export type RpcAnswer = Awaited<ReturnType<typeof rpc>>;

/**
 * Every answer has the request id and the rate limit in its headers as in REST (specification 4, 4.2). A body is JSON. An error has
 * the code and the status of the catalogue. No header starts a session.
 */
function expectWhatEveryAnswerOwes({ status, headers, json, text }: RpcAnswer): void {
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining'])
    expect(headers[name], name).toMatch(/^(0|[1-9]\d*)$/);
  expect(headers['mcp-session-id']).toBeUndefined();
  if (text === '') return;
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json).toMatchObject({ jsonrpc: '2.0', id: expect.toSatisfy(isIdOrNull) });
  if (json.error === undefined) {
    expect(status).toBe(200);
    return;
  }
  const code = json.error.data.code as ErrorCode;
  expect({ status, code: json.error.code }).toEqual({ status: errors[code].status, code: rpcCodeOf(code) });
  expect(json.error.data).toEqual({ code, request_id: headers['x-request-id'] });
}

const isIdOrNull = (id: unknown) => id === null || typeof id === 'string' || Number.isInteger(id);

/** A JSON-RPC request. Its id is 7 if the test gives no other. */
export const message = (method: string, params?: object, id: string | number = 7) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

export const initialize = (protocolVersion = '2025-06-18') =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
const validators = new Map(
  toolLists.sandbox.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema)]),
);

/** Calls a tool and returns its result, which must match the outputSchema that tools/list shows. */
export async function callTool(
  harness: { url: string },
  key: string,
  name: string,
  given: Record<string, unknown> = {},
) {
  const { status, json, headers } = await rpc(harness, message('tools/call', { name, arguments: given }), {
    key,
  });
  expect(status, JSON.stringify(json)).toBe(200);
  expect(json.result, JSON.stringify(json)).toBeDefined();
  const { content, structuredContent, isError } = json.result;
  expect(Object.keys(json.result).sort()).toEqual(['content', 'isError', 'structuredContent']);
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  expect(isError).toBe(structuredContent.error !== undefined);
  const fits = validators.get(name);
  expect(fits?.(structuredContent), JSON.stringify(fits?.errors)).toBe(true);
  return { ...structuredContent, isError, headers };
}
