import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeader } from '#contract/workflows.ts';

/**
 * Copies the trace context of the workflow's start, or of the latest update, to all later activities. The interceptors never
 * influence a decision of the workflow, so every history can be replayed with them and without them.
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
