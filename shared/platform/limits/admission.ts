/** Limits how many requests of one kind a process works on at once. It refuses the others immediately (decision 41). */
export type Admission = {
  /** Returns undefined if there is no room. */
  enter(orgId: string): Place | undefined;
  /** How many requests may be worked on at once, as it is now. */
  limit(): number;
  /** How many requests are worked on. */
  working(): number;
};

/**
 * Limits the creates in progress. Those that complete at once wait for a worker, and those that stay pending do not. So each of the two
 * has a limit of its own, which follows its own durations.
 */
export type CreateAdmission = Readonly<Record<'completing' | 'pending', Admission>>;

export type Place = {
  /** Says that the duration counts for the limit. A repetition that only reads its answer says nothing about the system. */
  count(): void;
  /** Must be called when the work has ended, whatever its result. */
  leave(): void;
};

/**
 * The limit follows the measured duration, because no fixed number fits every machine. If requests take longer than `durationMsTarget`,
 * there are more of them than the system carries, so the limit falls. It rises again while they are faster.
 */
const rules = {
  durationMsTarget: 1_000,
  limitMin: 8,
  /** Room for a burst on an idle system. Without need the limit rises no further. */
  limitAtRest: 128,
  limitMax: 2_048,
  /** The limit changes after so many measured requests. */
  samples: 10,
};

export function startAdmission(
  monotonicMs: () => number,
  { limitAtRest = rules.limitAtRest }: { limitAtRest?: number | undefined } = {},
): Admission {
  const workingOf = new Map<string, number>();
  let working = 0;
  let limit = limitAtRest;
  let changedAtMs = monotonicMs();
  let durationsMs: number[] = [];
  let wasFull = false;

  /** While there is no room, each organisation can still use its equal share. So one of them cannot shut out the others. */
  const hasRoom = (orgId: string): boolean => {
    const own = workingOf.get(orgId) ?? 0;
    const organisations = workingOf.size + (own === 0 ? 1 : 0);
    return working < limit || (own < limit / organisations && working < 2 * limit);
  };

  const measure = (enteredAtMs: number) => {
    // A request that began under an earlier limit says nothing about this one.
    if (enteredAtMs < changedAtMs) return;
    durationsMs.push(monotonicMs() - enteredAtMs);
    if (durationsMs.length < rules.samples) return;
    limit = nextLimit(limit, { durationMs: middleOf(durationsMs), wasFull });
    changedAtMs = monotonicMs();
    durationsMs = [];
    wasFull = false;
  };

  const leave = (orgId: string) => {
    working -= 1;
    const left = (workingOf.get(orgId) ?? 1) - 1;
    if (left === 0) workingOf.delete(orgId);
    else workingOf.set(orgId, left);
  };

  return {
    enter(orgId) {
      if (!hasRoom(orgId)) {
        wasFull = true;
        return undefined;
      }
      working += 1;
      workingOf.set(orgId, (workingOf.get(orgId) ?? 0) + 1);
      const enteredAtMs = monotonicMs();
      let counts = false;
      return {
        count() {
          counts = true;
        },
        leave() {
          leave(orgId);
          if (counts) measure(enteredAtMs);
        },
      };
    },
    limit: () => Math.floor(limit),
    working: () => working,
  };
}

const middleOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/** The limit after some requests of this median duration. */
export function nextLimit(
  limit: number,
  { durationMs, wasFull }: { durationMs: number; wasFull: boolean },
): number {
  const { durationMsTarget, limitMin, limitAtRest, limitMax } = rules;
  if (durationMs > durationMsTarget)
    return Math.max(limit * Math.max(durationMsTarget / durationMs, 0.5), limitMin);
  if (wasFull || limit < limitAtRest) return Math.min(limit * 1.1, wasFull ? limitMax : limitAtRest);
  return limit;
}
