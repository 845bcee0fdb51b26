import { Problem } from '#contract/errors.ts';

/** Slow work on a password may be asked for with these. `deadlineAt`: the time of the answer, in milliseconds since 1970. */
export type Turn = {
  deadlineAt?: number | undefined;
  /** True if a stranger cannot have sent it, so that it goes before what strangers send. */
  isKnown?: boolean | undefined;
};

/** At two hashes a second, whoever waits behind these is answered just before the deadline of a request. */
const waitingMax = 20;

const waiting: Record<'known' | 'strangers', (() => Promise<void>)[]> = { known: [], strangers: [] };
let isWorking = false;
const total = { done: 0, refused: 0 };

const refuse = (): Problem => {
  total.refused += 1;
  return new Problem('overloaded');
};

/** Throws `overloaded` if the work would be refused now. For a caller who counts attempts, so that one that was not made does not count. */
export function requireRoom({ isKnown }: Pick<Turn, 'isKnown'>): void {
  if (laneOf(isKnown).length >= waitingMax) throw refuse();
}

const laneOf = (isKnown: boolean | undefined) => waiting[isKnown ? 'known' : 'strangers'];

/**
 * Does one piece of slow work at a time, so that a flood of attempts takes neither the memory nor the threads of the process. If many wait
 * already, or if the turn comes after the deadline, it throws `overloaded` and begins nothing.
 */
export function inTurn<T>(work: () => Promise<T>, { deadlineAt = Infinity, isKnown }: Turn = {}): Promise<T> {
  const lane = laneOf(isKnown);
  if (lane.length >= waitingMax) return Promise.reject(refuse());
  return new Promise((resolve, reject) => {
    lane.push(async () => {
      if (Date.now() >= deadlineAt) return reject(refuse());
      total.done += 1;
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    });
    void workOff();
  });
}

async function workOff(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (let next = take(); next !== undefined; next = take()) await next();
  isWorking = false;
}

const take = () => waiting.known.shift() ?? waiting.strangers.shift();

/** What there was to do in this process, for its metrics. */
export const passwordWork = () => ({ ...total, waiting: waiting.known.length + waiting.strangers.length });
