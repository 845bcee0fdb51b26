import type { Middleware } from 'koa';
import { agentMessage, rpcCodeOf } from '#contract/rpc-errors.ts';
import { parseJson } from '../middleware/body.ts';
import type { RefusalForm } from '../refusal-pages.ts';
import type { ApiContext, ApiState, Refusal } from '../state.ts';
import { idOf, type RpcId } from './message.ts';

/** The address of the agent interface. */
export const agentPath = '/mcp';

/**
 * Clients without a key look here for OAuth, which this service does not have. Their libraries read `error` as a text, and show their
 * user the description (RFC 6749 and RFC 7591).
 */
const oauthPath =
  /^(\/mcp)?\/\.well-known\/(oauth-[a-z-]+|openid-configuration)(\/|$)|^\/(register|authorize|token|revoke)$/;

type About = { id: RpcId | null; requestId: string };

/** Returns the error body of a path that agent clients call, or undefined for any other path. */
function errorFormAt(path: string): ((refusal: Refusal, about: About) => object) | undefined {
  if (path === agentPath) return asJsonRpc;
  return oauthPath.test(path) ? asOAuth : undefined;
}

const asJsonRpc = ({ code, message }: Refusal, { id, requestId }: About) => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: rpcCodeOf(code),
    message: agentMessage({ code, message }),
    data: { code, request_id: requestId },
  },
});

const asOAuth = ({ code, message }: Refusal) => ({
  error: 'invalid_request',
  error_description:
    code === 'not_found'
      ? 'This service has no OAuth. Send an API key in the header Authorization: Bearer <API_KEY>.'
      : message,
});

/**
 * The headers with which a browser lets a page of a listed origin read an answer. Every answer needs them, also one that refuses the
 * request before its route: without them the page learns only that its request has failed.
 */
const crossOriginHeaders = (allowedOrigins: readonly string[], origin: string) => ({
  Vary: 'Origin',
  ...(allowedOrigins.includes(origin) && { 'Access-Control-Allow-Origin': origin, ...allowed }),
});

const allowed = {
  // Only POST is served. A page that uses another method reads so in the answer.
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': [
    'Authorization',
    'Content-Type',
    'Accept',
    'MCP-Protocol-Version',
    'MCP-Session-Id',
    'MCP-Method',
    'MCP-Name',
    'Last-Event-ID',
    'Cache-Control',
    'Traceparent',
    'Tracestate',
  ].join(', '),
  'Access-Control-Expose-Headers':
    'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, WWW-Authenticate, Allow',
};

/** Gives each answer at a path of agent clients its headers, and each error there its form. */
export const answersToAgents =
  (allowedOrigins: readonly string[]): Middleware<ApiState> =>
  async (koa, next) => {
    const form = errorFormAt(koa.path);
    if (form !== undefined) {
      koa.set(crossOriginHeaders(allowedOrigins, koa.get('Origin')));
      koa.state.errorBody = (problem) =>
        form(problem, { id: idOfMessage(koa), requestId: koa.state.requestId });
    }
    await next();
  };

/** Answers what a browser asks before it sends the request of a page of a listed origin. */
export const preflight: Middleware<ApiState> = async (koa, next) => {
  if (koa.method === 'OPTIONS' && koa.res.hasHeader('Access-Control-Allow-Origin')) koa.status = 204;
  else await next();
};

const idOfMessage = ({ state }: ApiContext) => idOf(state.body ?? bodyIfJson(state.bytes));

/** Parses the body of a request that was refused before it was parsed, since the answer should contain the id of the message. */
function bodyIfJson(bytes: Buffer | undefined): unknown {
  try {
    return bytes && parseJson(bytes);
  } catch {
    return undefined;
  }
}

/** Writes the refusal of a request that reached no route. Undefined if no agent client sent it. */
export const refusalToAgents =
  (allowedOrigins: readonly string[]): RefusalForm =>
  (refusal, { url = '', headers: { origin = '' } }, requestId) => {
    const form = errorFormAt(url.split('?', 1)[0] ?? '');
    return (
      form && {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          ...crossOriginHeaders(allowedOrigins, origin),
        },
        body: JSON.stringify(form(refusal, { id: null, requestId })),
      }
    );
  };
