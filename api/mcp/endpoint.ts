import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '#contract/errors.ts';
import { agentMessage, rpcCodeOf } from '#contract/rpc-errors.ts';
import { canonicalJson } from '#platform/canonical-json.ts';
import { sha256 } from '#platform/crypto.ts';
import type { Log } from '#platform/log.ts';
import type { CallerContext } from '#services/context.ts';
import type { Caller } from '#services/keys/authenticate.ts';
import { admit, callerOf } from '../middleware/authenticate.ts';
import { jsonBytes, parseJson, refuseByHeaders } from '../middleware/body.ts';
import { deadlineFromNow } from '../middleware/deadline.ts';
import { reportedProblem } from '../middleware/errors.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { argumentsFor, callTool, failed, type ToolResult } from './call.ts';
import { toolLists } from './describe.ts';
import { callParams, idOf, initializeParams, isRequest, messageOf, type RpcMessage } from './message.ts';
import { type Asked, methods, protocolVersion, respond } from './protocol.ts';
import type { Tool } from './tool.ts';
import { toolsOf } from './tools.ts';

/**
 * Mounts the agent interface (specification 4.2). Its checks run in the order of decision 25. The key, the rate limit and the log
 * are the same as in REST.
 */
export function mountAgents(
  router: Router<ApiState>,
  ctx: ServerContext,
  { log, allowedOrigins }: { log: Log; allowedOrigins: readonly string[] },
): void {
  router.all('/mcp', errorsAsJsonRpc, postFrom(allowedOrigins), admitted(ctx), async (koa: ApiContext) => {
    koa.state.bytes = await jsonBytes(koa);
    await answer(koa, ctx, log);
  });
}

const errorsAsJsonRpc: Middleware<ApiState> = async (koa, next) => {
  koa.state.deadlineAt = deadlineFromNow();
  koa.state.errorBody = (problem) => ({
    jsonrpc: '2.0',
    id: idOf(koa.state.body ?? bodyIfJson(koa.state.bytes)),
    error: {
      code: rpcCodeOf(problem.code),
      message: agentMessage(problem),
      data: { code: problem.code, request_id: koa.state.requestId },
    },
  });
  await next();
};

/** Parses the body of a request that was refused before it was parsed, since the answer should contain the id of the message. */
function bodyIfJson(bytes: Buffer | undefined): unknown {
  try {
    return bytes && parseJson(bytes);
  } catch {
    return undefined;
  }
}

/** Allows POST only. Refuses a request with an Origin that is not listed. Answers the preflight request of a listed origin. */
const postFrom =
  (allowedOrigins: readonly string[]): Middleware<ApiState> =>
  async (koa, next) => {
    const origin = koa.get('Origin');
    const isListed = allowedOrigins.includes(origin);
    const isPreflight = koa.method === 'OPTIONS' && isListed;
    if (koa.method !== 'POST' && !isPreflight) {
      koa.set('Allow', 'POST');
      throw new Problem('method_not_allowed');
    }
    if (origin !== '' && !isListed) throw new Problem('origin_not_allowed');
    if (isListed) koa.set(crossOriginHeaders(origin));
    if (isPreflight) koa.status = 204;
    else await next();
  };

const crossOriginHeaders = (origin: string) => ({
  Vary: 'Origin',
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
  'Access-Control-Expose-Headers': 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After',
});

/**
 * Checks the headers of the body, then the key and the rate limit (decision 25). The body is read afterwards. If the key or the
 * rate limit fails and the body is short, the refusal has the id of the message in the body.
 */
const admitted =
  (ctx: ServerContext): Middleware<ApiState> =>
  async (koa, next) => {
    refuseByHeaders(koa);
    try {
      if (await admit(ctx, koa)) return await next();
    } catch (error) {
      if (koa.state.caller === undefined) await readIfShort(koa);
      throw error;
    }
    await readIfShort(koa);
  };

const shortBytesMax = 4 * 1024;

/** A body that is long or comes in chunks is not read, because a refused caller must not cause work. */
async function readIfShort(koa: ApiContext): Promise<void> {
  const declared = Number(koa.get('Content-Length') || Number.NaN);
  if (declared <= shortBytesMax) koa.state.bytes = await jsonBytes(koa).catch(() => Buffer.alloc(0));
}

async function answer(koa: ApiContext, ctx: ServerContext, log: Log): Promise<void> {
  koa.state.body = parseJson(koa.state.bytes ?? Buffer.alloc(0));
  const message = messageOf(koa.state.body);
  if (!isVersionAccepted(koa, message)) throw new Problem('unsupported_protocol_version');
  if (!isRequest(message)) return accept(koa);
  const { environment } = callerOf(koa.state).scope;
  koa.body = await respond(message.id, checkedRequest(koa, ctx, log, message), toolLists[environment]);
}

/**
 * In an `initialize` request, MCP-Protocol-Version may name any version, since some clients send the version that they prefer. The
 * answer names our version.
 */
const isVersionAccepted = (koa: ApiContext, { method }: RpcMessage) =>
  method === 'initialize' || [protocolVersion, ''].includes(koa.get('MCP-Protocol-Version'));

/** A notification is accepted and has no effect (decision 24). */
function accept(koa: ApiContext): void {
  koa.body = null;
  koa.status = 202;
}

function checkedRequest(
  koa: ApiContext,
  ctx: ServerContext,
  log: Log,
  { method, params }: RpcMessage,
): Asked {
  const known = methods.find((name) => name === method);
  if (known === undefined) throw new Problem('unknown_method');
  koa.state.action = known;
  if (known === 'initialize') initializeParams(params);
  if (known !== 'tools/call') return { method: known };
  const { name, arguments: given } = callParams(params);
  const tool = toolFor(koa, callerOf(koa.state), name);
  return { method: known, call: () => call(koa, ctx, log, tool, given) };
}

/**
 * Returns the tool with this name. Throws if the environment of the key has no such tool, or if the key lacks the scope of the
 * tool.
 */
function toolFor(koa: ApiContext, caller: Caller, name: string): Tool {
  const tool = toolsOf[caller.scope.environment].get(name);
  if (tool === undefined) throw new Problem('unknown_tool');
  koa.state.action = tool.name;
  if (tool.grant === null || caller.grants.includes(tool.grant)) return tool;
  koa.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${tool.grant}"`);
  throw new Problem('insufficient_scope');
}

/** An error, such as a wrong argument, becomes the result of the call. It is logged as in REST. */
async function call(
  koa: ApiContext,
  ctx: ServerContext,
  log: Log,
  tool: Tool,
  given: Record<string, unknown> | undefined,
): Promise<ToolResult> {
  try {
    const input = argumentsFor(tool, given);
    return await callTool(agentContext(koa, ctx, tool, input), tool, input);
  } catch (error) {
    const problem = reportedProblem(koa, log, error);
    koa.state.errorCode = problem.code;
    return failed(problem);
  }
}

function agentContext(koa: ApiContext, ctx: ServerContext, { name }: Tool, input: object): CallerContext {
  const { scope, keyId, grants, isPaused } = callerOf(koa.state);
  return {
    ...ctx,
    scope,
    keyId,
    isPaused,
    grants,
    requestId: koa.state.requestId,
    idempotencyKey: undefined,
    fingerprint: () => sha256(`${name} ${canonicalJson(input)}`),
    deadlineAt: koa.state.deadlineAt,
  };
}
