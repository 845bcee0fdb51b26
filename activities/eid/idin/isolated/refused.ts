import type { Refusal } from '../../port.ts';

/** The answer is not used. */
export class Refused extends Error {
  readonly reason: Refusal;
  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Refuses the answer for this reason if the work throws another error. */
export function orRefused<Result>(reason: Refusal, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(reason);
  }
}
