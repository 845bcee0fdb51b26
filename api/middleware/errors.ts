import type { Middleware } from 'koa';
import type { ErrorBody } from '#contract/error-body.ts';
import { errors, Problem } from '#contract/errors.ts';
import { problemOf } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { ApiContext, ApiState, Refusal } from '../state.ts';

/** The Retry-After header of every answer with status 503. */
export const retryAfterSeconds = '2';

/**
 * Writes the error bodies of all routes (specification 7). The text of an unforeseen error goes to the log only, never to a caller.
 */
export const errorBodies =
  (log: Log): Middleware<ApiState> =>
  async (koa, next) => {
    try {
      await next();
      const { refused } = koa.state;
      if (refused !== undefined) return answer(koa, { code: refused, message: errors[refused].message });
      if (koa.body !== undefined) return;
      if (koa.status === 404) throw new Problem('not_found');
      if (koa.status === 405 || koa.status === 501) throw new Problem('method_not_allowed');
    } catch (error) {
      answer(koa, reportedProblem(koa, log, error));
    }
  };

/** Returns the problem that the answer names. An error on our side is logged with its cause. */
export function reportedProblem({ state }: ApiContext, log: Log, error: unknown): Problem {
  const problem = problemOf(error);
  if (errors[problem.code].status >= 500)
    log.error({ request_id: state.requestId, err: error }, problem.code);
  return problem;
}

function answer(koa: ApiContext, problem: Refusal): void {
  const { status } = errors[problem.code];
  koa.state.errorCode = problem.code;
  koa.status = status;
  koa.body = koa.state.errorBody?.(problem) ?? restBody(problem, koa.state.requestId);
  if (status === 401) koa.set('WWW-Authenticate', 'Bearer');
  if (status === 503) koa.set('Retry-After', retryAfterSeconds);
}

/** The error body of REST (specification 7.1). */
const restBody = ({ code, message }: Refusal, requestId: string): ErrorBody => ({
  error: { type: errors[code].type, code, message, request_id: requestId },
});
