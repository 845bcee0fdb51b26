/** How many deliveries the sweep starts in a second. */
export type Pace = {
  /** Sets the slowest pace. */
  keepAbove(perSecondMin: number): void;
  /** True if a pace is kept that is above the slowest of all. */
  isKept(): boolean;
  perSecond(): number;
  /**
   * Adjusts the pace after each second. `waitedMs` is the time for which one of the started deliveries waited for a worker. Undefined if
   * no worker has taken it up.
   */
  adjust(waitedMs: number | undefined): void;
};

export const slowest = 1;
const perSecondMax = 200;
/** The number of measurements at the slowest pace before the pace may rise. */
const measurementsFirst = 5;
const smoothing = 1 / 8;
/** How many times the usual wait is too long. */
const tooLong = 4 / 3;

/**
 * Finds the pace that the system can carry beside its usual work. At the slowest pace it learns how long a delivery usually waits for
 * a worker. The pace rises by a tenth each second, and is halved when a delivery waits for much longer than usual. So the
 * sweep uses what is free, and slows down when there is already too much to do.
 */
export function createPace(): Pace {
  let perSecondMin = slowest;
  let perSecond = perSecondMin;
  let usualMs = 0;
  let measurements = 0;

  const learn = (waitedMs: number) => {
    measurements += 1;
    usualMs += (waitedMs - usualMs) * Math.max(smoothing, 1 / measurements);
  };

  return {
    keepAbove(min) {
      perSecondMin = min;
      perSecond = Math.max(perSecond, min);
    },
    isKept: () => perSecondMin > slowest,
    perSecond: () => perSecond,
    adjust(waitedMs) {
      if (waitedMs !== undefined && perSecond === perSecondMin) learn(waitedMs);
      if (measurements < measurementsFirst) return;
      const isBehind = waitedMs === undefined || waitedMs > tooLong * usualMs;
      const wanted = isBehind ? Math.floor(perSecond / 2) : Math.ceil(perSecond * 1.1);
      perSecond = Math.min(Math.max(wanted, perSecondMin), perSecondMax);
    },
  };
}
