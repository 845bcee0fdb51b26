import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { faultCodeOf } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';

/**
 * Replaces every error of an activity, except a cancellation, by a code of the catalogue (decision 38). Database errors quote rows,
 * and Temporal's history keeps the text of a failure. The log gets the class, the codes and the stack, without messages.
 */
export function failureGuard(log: Log, activityType: string): ActivityInboundCallsInterceptor {
  return {
    async execute(input: ActivityExecuteInput, next) {
      try {
        return await next(input);
      } catch (error) {
        if (error instanceof CancelledFailure) throw error;
        const code = faultCodeOf(error);
        log.warn({ activity: activityType, code, err: error }, 'activity failed; it is retried');
        const failure = ApplicationFailure.create({ message: code, type: code });
        failure.stack = '';
        throw failure;
      }
    },
  };
}
