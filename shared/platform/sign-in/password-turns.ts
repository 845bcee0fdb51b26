import { Problem } from '#contract/errors.ts';
import { createLane } from '../limits/lane.ts';

/** Slow work on a password may be asked for with these. `deadlineAt`: the time of the answer, in milliseconds since 1970. */
export type Turn = {
  deadlineAt?: number | undefined;
  /** The organisation of somebody who is signed in, or has a link or a known browser. Their work goes before that of strangers. */
  organisation?: string | undefined;
  /** The network of a stranger. */
  network?: string | undefined;
};

/** At two hashes a second, whoever waits behind these is answered just before the deadline of a request. */
const waitingMax = 20;
/** While a stranger waits, at most this number of hashes for members is made in a row. */
const membersInRow = 4;

type Waiting = { begin: () => Promise<void>; giveUp: () => void };

/** Organisations take turns in the one, and networks in the other. */
const members = createLane<Waiting>();
const strangers = createLane<Waiting>();
let isWorking = false;
let inRow = 0;
const total = { done: 0, refused: 0 };

const refuse = (): Problem => {
  total.refused += 1;
  return new Problem('overloaded');
};

/**
 * Whose work gives way to this one: that of nobody while there is room, else that of the network with most. Undefined if this one has to
 * give way. Organisations do not give way, since each has its own room, and only the operator makes one.
 */
function whoGivesWay({ organisation, network = '' }: Turn): { network?: string } | undefined {
  if (organisation !== undefined) return members.countOf(organisation) < waitingMax ? {} : undefined;
  if (strangers.count() < waitingMax) return {};
  const most = strangers.largestOwner() ?? '';
  return strangers.countOf(most) > strangers.countOf(network) + 1 ? { network: most } : undefined;
}

/** Throws `overloaded` if the work would be refused now. For a caller who counts attempts, so that one that was not made does not count. */
export function requireRoom(turn: Turn): void {
  if (whoGivesWay(turn) === undefined) throw refuse();
}

/**
 * Does one piece of slow work at a time, so that a flood of attempts takes neither the memory nor the threads of the process. If many wait
 * already, or if the turn comes after the deadline, it throws `overloaded` and begins nothing.
 */
export function inTurn<T>(work: () => Promise<T>, turn: Turn = {}): Promise<T> {
  const { deadlineAt = Infinity, organisation, network = '' } = turn;
  const room = whoGivesWay(turn);
  if (room === undefined) return Promise.reject(refuse());
  if (room.network !== undefined) strangers.takeNewest(room.network)?.giveUp();
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(refuse());
    const begin = async () => {
      if (Date.now() >= deadlineAt) return giveUp();
      total.done += 1;
      try {
        resolve(await work());
      } catch (error) {
        reject(error);
      }
    };
    if (organisation === undefined) strangers.add(network, { begin, giveUp });
    else members.add(organisation, { begin, giveUp });
    void workOff();
  });
}

async function workOff(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (let next = take(); next !== undefined; next = take()) await next.begin();
  isWorking = false;
}

/** Members before strangers, but a flood of members stops no stranger for ever. */
function take(): Waiting | undefined {
  const isForStranger = members.count() === 0 || (strangers.count() > 0 && inRow >= membersInRow);
  inRow = isForStranger ? 0 : inRow + 1;
  return (isForStranger ? strangers : members).takeNext();
}

/** What there was to do in this process, for its metrics. */
export const passwordWork = () => ({ ...total, waiting: members.count() + strangers.count() });
