import { ApplicationFailure } from '@temporalio/activity';

/** What a try came to. `againMs` is present if it failed and is tried again after this time, in milliseconds. */
export type Tried = { againMs?: number | undefined };

/**
 * Fails the activity if its work is to be tried again, and has Temporal wait until then. A wait inside the workflow would look to the
 * sweep as a run that sleeps although its row is due, which it replaces. Operators see this wait beside the pending activity.
 */
export const triedAgain =
  <Args extends unknown[], Report extends Tried>(work: (...args: Args) => Promise<Report>) =>
  async (...args: Args): Promise<Omit<Report, 'againMs'>> => {
    const { againMs: nextRetryDelay, ...report } = await work(...args);
    if (nextRetryDelay === undefined) return report;
    throw ApplicationFailure.create({ message: code, type: code, nextRetryDelay });
  };

const code = 'tried_again_later';
