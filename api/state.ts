import type { ParameterizedContext } from 'koa';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import type { Caller } from '#services/keys/authenticate.ts';

/** The part of a problem that its caller reads. */
export type Refusal = Pick<Problem, 'code' | 'message'>;

/** Values of one request that middleware and routes share. */
export type ApiState = {
  requestId: string;
  /** Epoch milliseconds by which the answer must be sent. */
  deadlineAt: number;
  /** Set once the key has been found valid. */
  caller?: Caller;
  /** The answer carries neither a request id nor a rate limit (specification 4: /health). */
  bare?: true;
  /** The body as received, if it is parsed only after the key was checked. */
  bytes?: Buffer;
  /** The parsed JSON body; absent if none was sent. */
  body?: unknown;
  /** Set instead of throwing a Problem when a rate limit refuses the request; see `applyLimit`. */
  refused?: ErrorCode;
  /** The catalogue code of an error answer, for the log. */
  errorCode?: ErrorCode;
  /** The error body of this route, if it is not that of specification 7.1. A page is text. */
  errorBody?: (problem: Refusal) => object | string;
  /** The operation, for the log, on a route that has several. A name from our own code, never one that a caller sent. */
  action?: string;
};

export type ApiContext = ParameterizedContext<ApiState>;

/** The pattern of the matched route, for logs and metrics: the path itself can hold the token of a link. */
export function routeOf(koa: object): string | undefined {
  const { _matchedRoute: route } = koa as { _matchedRoute?: string | RegExp };
  return route?.toString();
}
