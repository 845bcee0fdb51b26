import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeader } from '#contract/workflows.ts';

/**
 * Hands the place in a trace that came with a workflow's start, or with the latest update, on to the activities that follow. Looks
 * into nothing and decides nothing, so a history is the same with it and without.
 */
export function interceptors(): WorkflowInterceptors {
  let place: Headers = {};
  const keep = (headers: Headers) => {
    const carrier = headers[traceHeader];
    if (carrier !== undefined) place = { [traceHeader]: carrier };
  };
  return {
    inbound: [
      {
        execute(input, next) {
          keep(input.headers);
          return next(input);
        },
        handleUpdate(input, next) {
          keep(input.headers);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...place } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...place } }),
      },
    ],
  };
}
