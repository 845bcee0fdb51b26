import type { ParameterizedContext } from 'koa';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import type { KeyHolder } from '#services/keys/authenticate.ts';

/** The part of a problem that its caller reads. */
export type Refusal = Pick<Problem, 'code' | 'message'>;

/** Values of one request that middleware and routes share. */
export type ApiState = {
  requestId: string;
  /** Epoch milliseconds by which the answer must be sent. */
  deadlineAt: number;
  /** Set once the key has been found valid. */
  keyHolder?: KeyHolder;
  /** The member who is signed in to the console. */
  memberId?: string;
  /** True if the answer has neither a request id nor rate limit headers (specification 4: /health). */
  bare?: true;
  /** The body as received by the agent interface, which may be refused before its body is parsed. */
  bytes?: Buffer;
  /** The parsed JSON body; absent if none was sent. */
  body?: unknown;
  /** Set instead of a thrown Problem if a rate limit refuses the request; see `applyLimit`. */
  refused?: ErrorCode;
  /** The catalogue code of an error answer, for logs and traces. */
  errorCode?: ErrorCode;
  /** Makes the error body of a route whose errors do not follow specification 7.1. A page is a string. */
  errorBody?: (problem: Refusal) => object | string;
  /**
   * The operation, for logs, metrics and traces, if the route has several. The name comes from our own code, never from a caller.
   */
  action?: string;
};

export type ApiContext = ParameterizedContext<ApiState>;

/**
 * Returns the pattern of the matched route. Logs, metrics and traces contain it instead of the path, which can contain the token of
 * a link.
 */
export function routeOf(koa: object): string | undefined {
  const { _matchedRoute: route } = koa as { _matchedRoute?: string | RegExp };
  return route?.toString();
}
