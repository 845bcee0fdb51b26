import { Context } from '@temporalio/activity';

const everyMs = 5_000;

/**
 * Tells Temporal regularly that the work goes on. If the worker is lost, another worker begins the work soon after the heartbeats
 * end, and not only after the time that the whole work may take.
 */
export const withHeartbeats =
  <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  async (...args: Args): Promise<Result> => {
    const activity = Context.current();
    const timer = setInterval(() => activity.heartbeat(), everyMs);
    try {
      return await work(...args);
    } finally {
      clearInterval(timer);
    }
  };
