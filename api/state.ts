import type { ParameterizedContext } from 'koa';
import type { ErrorCode } from '#contract/errors.ts';
import type { Caller } from '#services/keys/authenticate.ts';

/** What middleware leaves for what comes after it. */
export type ApiState = {
  requestId: string;
  /** Epoch milliseconds by which the answer must be out. */
  deadlineAt: number;
  /** Set once the key is known to be good. */
  caller?: Caller;
  /** The answer carries neither a request id nor a rate limit (specification 4: /health). */
  bare?: true;
  /** The parsed JSON body; absent when none was sent. */
  body?: unknown;
  /** The catalogue code of an error answer, for the log. */
  errorCode?: ErrorCode;
};

export type ApiContext = ParameterizedContext<ApiState>;
