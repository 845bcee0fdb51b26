import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Middleware } from 'koa';

/**
 * Delays each answer until the end of the current turn of the event loop, so that the answers of one turn are sent together. If
 * each answer were sent alone, each would wake the receiving process. That cost a third of the time of a short answer.
 */
export const batchAnswers: Middleware = async (_, next) => {
  await next();
  await endOfTurn();
};
