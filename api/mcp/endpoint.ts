import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '#contract/errors.ts';
import type { Log } from '#platform/log.ts';
import type { RequestContext } from '#services/context.ts';
import type { KeyHolder } from '#services/keys/authenticate.ts';
import { admit, keyHolderOf } from '../middleware/authenticate.ts';
import { jsonBytes, parseJson, refuseByHeaders } from '../middleware/body.ts';
import { deadlineFromNow } from '../middleware/deadline.ts';
import { reportedProblem } from '../middleware/errors.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { agentPath } from './answers.ts';
import { argumentsFor, callTool, failed, type ToolResult } from './call.ts';
import { toolLists } from './describe.ts';
import { callParams, initializeParams, isRequest, messageOf, type RpcMessage } from './message.ts';
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
  router.all(agentPath, postFrom(allowedOrigins), admitted(ctx), async (koa: ApiContext) => {
    koa.state.bytes = await jsonBytes(koa);
    await answer(koa, ctx, log);
  });
}

/** Allows POST only, and refuses a request with an Origin that is not listed. */
const postFrom =
  (allowedOrigins: readonly string[]): Middleware<ApiState> =>
  async (koa, next) => {
    koa.state.deadlineAt = deadlineFromNow();
    const origin = koa.get('Origin');
    if (koa.method !== 'POST') {
      koa.set('Allow', 'POST');
      throw new Problem('method_not_allowed');
    }
    if (origin !== '' && !allowedOrigins.includes(origin)) throw new Problem('origin_not_allowed');
    await next();
  };

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
      if (koa.state.keyHolder === undefined) await readIfShort(koa);
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
  if (!isRequest(message)) {
    requireVersion(koa);
    return accept(koa);
  }
  // A client of a later version asks for methods that do not exist here, under a header that names its version. It learns more from the
  // answer to the method than from one to the header.
  const method = methods.find((name) => name === message.method);
  if (method === undefined) throw new Problem('unknown_method');
  // Some clients name the version that they prefer. The answer to `initialize` names ours.
  if (method !== 'initialize') requireVersion(koa);
  const { environment } = keyHolderOf(koa.state).caller.scope;
  const asked = checkedRequest(koa, ctx, log, method, message);
  koa.body = await respond(message.id, asked, toolLists[environment]);
}

/** Some clients send the header twice, which arrives as a list. Equal values count once (decision 24). */
function requireVersion(koa: ApiContext): void {
  const named = koa.get('MCP-Protocol-Version').split(',');
  if (!named.every((each) => [protocolVersion, ''].includes(each.trim())))
    throw new Problem('unsupported_protocol_version');
}

/** A notification is accepted and has no effect (decision 24). */
function accept(koa: ApiContext): void {
  koa.body = null;
  koa.status = 202;
}

function checkedRequest(
  koa: ApiContext,
  ctx: ServerContext,
  log: Log,
  method: Asked['method'],
  { params }: RpcMessage,
): Asked {
  koa.state.action = method;
  if (method === 'initialize') initializeParams(params);
  if (method !== 'tools/call') return { method };
  const { name, arguments: given } = callParams(params);
  const tool = toolFor(koa, keyHolderOf(koa.state), name);
  return { method, call: () => call(koa, ctx, log, tool, given) };
}

/**
 * Returns the tool with this name. Throws if the environment of the key has no such tool, or if the key lacks the scope of the
 * tool.
 */
function toolFor(koa: ApiContext, { caller, grants }: KeyHolder, name: string): Tool {
  const tool = toolsOf[caller.scope.environment].get(name);
  if (tool === undefined) throw new Problem('unknown_tool');
  koa.state.action = tool.name;
  if (tool.grant === null || grants.includes(tool.grant)) return tool;
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
    return await callTool(agentContext(koa, ctx), keyHolderOf(koa.state).caller, tool, input);
  } catch (error) {
    const problem = reportedProblem(koa, log, error);
    koa.state.errorCode = problem.code;
    return failed(problem);
  }
}

function agentContext({ state }: ApiContext, ctx: ServerContext): RequestContext {
  const { grants, isPaused } = keyHolderOf(state);
  const { requestId, deadlineAt } = state;
  return { ...ctx, grants, isPaused, requestId, deadlineAt };
}
