import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeader } from '#contract/workflows.ts';

/**
 * Passes the trace context of the workflow's start, or of the latest update, on to the activities that follow. It reads and decides
 * nothing, so a history is the same with it and without it.
 */
export function interceptors(): WorkflowInterceptors {
  let context: Headers = {};
  const keep = (headers: Headers) => {
    const carrier = headers[traceHeader];
    if (carrier !== undefined) context = { [traceHeader]: carrier };
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
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...context } }),
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...context } }),
      },
    ],
  };
}
