import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { ActivityExecuteInput, ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { faultCodeOf } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';

/**
 * Replaces every error of an activity, except a cancellation, by a code of the catalogue (decision 38). Database errors quote rows,
 * and Temporal's history keeps the text of a failure. The log gets the class, the codes and the stack, without messages. An
 * `ApplicationFailure` has only texts of ours, so it stays as it is.
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
        throw withoutStack(
          error instanceof ApplicationFailure
            ? error
            : ApplicationFailure.create({ message: code, type: code }),
        );
      }
    },
  };
}

function withoutStack(failure: ApplicationFailure): ApplicationFailure {
  failure.stack = '';
  return failure;
}
