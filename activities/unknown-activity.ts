import { ApplicationFailure, activityInfo } from '@temporalio/activity';

const waitMsMax = 30_000;

/**
 * Answers for an activity that this build does not have. While two versions of the product run, an activity of the other version may
 * come here, so it is retried until a worker of that version takes it. After half a minute there is none, for example after a
 * roll back. Then the activity fails for good, its workflow gets a task, and a worker of this build begins the run again
 * (`workflows/own-history.ts`).
 */
export async function unknownActivity(): Promise<never> {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  const waitedMs = currentAttemptScheduledTimestampMs - scheduledTimestampMs;
  const code = 'unknown_activity';
  throw ApplicationFailure.create({ message: code, type: code, nonRetryable: waitedMs >= waitMsMax });
}
