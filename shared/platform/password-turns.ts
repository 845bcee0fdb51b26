import { Problem } from '#contract/errors.ts';

/** Slow work on a password may be asked for with these. `deadlineAt`: the time of the answer, in milliseconds since 1970. */
export type Turn = {
  deadlineAt?: number | undefined;
  /** Of somebody who is signed in, or has a link or a known browser. Such work goes before what strangers send. */
  organisation?: string | undefined;
  /** Of a stranger. */
  network?: string | undefined;
};

/** At two hashes a second, whoever waits behind these is answered just before the deadline of a request. */
const waitingMax = 20;
/** So many pieces of members are done in a row at most while a stranger waits. */
const membersInRow = 4;

type Waiting = { begin: () => Promise<void>; giveUp: () => void };

/**
 * What waits, by organisation and by network. The first in each map has the next turn, so one organisation or network with much to do
 * delays another by one piece of work.
 */
type Lane = Map<string, Waiting[]>;
const members: Lane = new Map();
const strangers: Lane = new Map();
let isWorking = false;
let inRow = 0;
const total = { done: 0, refused: 0 };

const refuse = (): Problem => {
  total.refused += 1;
  return new Problem('overloaded');
};

const sizeOf = (lane: Lane): number => [...lane.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * Whose work gives way to this one: that of nobody while there is room, else that of the network with most. Undefined if this one has to
 * give way. Organisations do not give way, since each has its own room, and only the operator makes one.
 */
function whoGivesWay({ organisation, network = '' }: Turn): { network?: string } | undefined {
  if (organisation !== undefined)
    return (members.get(organisation)?.length ?? 0) < waitingMax ? {} : undefined;
  if (sizeOf(strangers) < waitingMax) return {};
  const [most, theirs] = [...strangers].reduce((one, other) =>
    other[1].length > one[1].length ? other : one,
  );
  return theirs.length > (strangers.get(network)?.length ?? 0) + 1 ? { network: most } : undefined;
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
  if (room.network !== undefined) strangers.get(room.network)?.pop()?.giveUp();
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
    const [lane, owner] = organisation === undefined ? [strangers, network] : [members, organisation];
    lane.set(owner, [...(lane.get(owner) ?? []), { begin, giveUp }]);
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
  const isForStranger = members.size === 0 || (strangers.size > 0 && inRow >= membersInRow);
  inRow = isForStranger ? 0 : inRow + 1;
  return firstOf(isForStranger ? strangers : members);
}

function firstOf(lane: Lane): Waiting | undefined {
  for (const [owner, [next, ...others]] of lane) {
    lane.delete(owner);
    if (others.length > 0) lane.set(owner, others);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** What there was to do in this process, for its metrics. */
export const passwordWork = () => ({ ...total, waiting: sizeOf(members) + sizeOf(strangers) });
