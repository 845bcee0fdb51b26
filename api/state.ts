import type { ParameterizedContext } from 'koa';
import type { ErrorCode, Problem } from '#contract/errors.ts';
import type { Caller } from '#services/keys/authenticate.ts';

/** What a caller is told of a problem. */
export type Refusal = Pick<Problem, 'code' | 'message'>;

/** What middleware leaves for what comes after it. */
export type ApiState = {
  requestId: string;
  /** Epoch milliseconds by which the answer must be out. */
  deadlineAt: number;
  /** Set once the key is known to be good. */
  caller?: Caller;
  /** The answer carries neither a request id nor a rate limit (specification 4: /health). */
  bare?: true;
  /** The body as it came, where it is looked at later than it is read. */
  bytes?: Buffer;
  /** The parsed JSON body; absent when none was sent. */
  body?: unknown;
  /** Why nothing was done, where that is no exception. */
  refused?: ErrorCode;
  /** The catalogue code of an error answer, for the log. */
  errorCode?: ErrorCode;
  /** How this route words its errors; without it as specification 7.1 does. Pages are text. */
  errorBody?: (problem: Refusal) => object | string;
  /** What was asked of a route that does many things, for the log: a name of our own, never one that was sent. */
  action?: string;
};

export type ApiContext = ParameterizedContext<ApiState>;
