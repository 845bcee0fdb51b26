/**
 * Work that waits, by owner. The owners take turns with one piece of work per turn, so an owner with much work does not delay another one
 * by all of that work.
 */
export function createLane<Work>() {
  /** The first owner in the map has the next turn. */
  const waiting = new Map<string, Work[]>();

  return {
    add(owner: string, work: Work): void {
      waiting.set(owner, [...(waiting.get(owner) ?? []), work]);
    },

    /** Takes the oldest piece of the owner whose turn it is. Returns undefined if nothing waits. */
    takeNext(): Work | undefined {
      const [turn] = waiting;
      if (turn === undefined) return undefined;
      const [owner, [next, ...others]] = turn;
      waiting.delete(owner);
      if (others.length > 0) waiting.set(owner, others);
      return next;
    },

    /** Takes the newest piece of this owner, of whom more than one waits. */
    takeNewest: (owner: string): Work | undefined => waiting.get(owner)?.pop(),

    /** How many pieces of this owner wait. */
    countOf: (owner: string): number => waiting.get(owner)?.length ?? 0,

    count: (): number => [...waiting.values()].reduce((sum, { length }) => sum + length, 0),

    /** The owner of whom most waits, the one whose turn comes first among equals. */
    largestOwner: (): string | undefined =>
      [...waiting].reduce<[string, Work[]] | undefined>(
        (most, each) => (most !== undefined && most[1].length >= each[1].length ? most : each),
        undefined,
      )?.[0],
  };
}
