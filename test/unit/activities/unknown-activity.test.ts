import { ApplicationFailure } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { failureGuard } from '#activities/failures.ts';
import { unknownActivity } from '#activities/unknown-activity.ts';
import { createLog } from '#platform/log.ts';

/** The failure that the worker reports for an activity whose newest attempt began so long after the first. */
async function failureAfter(waitedMs: number): Promise<ApplicationFailure> {
  const firstMs = 1_700_000_000_000;
  const times = { scheduledTimestampMs: firstMs, currentAttemptScheduledTimestampMs: firstMs + waitedMs };
  const environment = new MockActivityEnvironment(times, {
    logger: new DefaultLogger('ERROR', () => undefined),
  });
  const guard = failureGuard(createLog({ level: 'silent', format: 'json' }), 'anotherBuildsActivity');
  const run = () =>
    environment.run(async () => guard.execute?.({ args: [], headers: {} }, () => unknownActivity()));
  return run().then(
    () => expect.unreachable(),
    (error) => error,
  );
}

test.each([
  { waitedMs: 0, nonRetryable: false },
  { waitedMs: 29_999, nonRetryable: false },
  { waitedMs: 30_000, nonRetryable: true },
])(
  'an activity that no worker has known for $waitedMs ms fails for good: $nonRetryable',
  async ({ waitedMs, nonRetryable }) => {
    const failure = await failureAfter(waitedMs);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'unknown_activity', nonRetryable, stack: '' });
  },
);
