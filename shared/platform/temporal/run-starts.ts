import { setTimeout as pause } from 'node:timers/promises';
import type { TemporalClient } from './client.ts';
import type { VerificationStart } from './starts.ts';

/** Asks Temporal for the first runs of verifications (decision 42). */
export type RunStarts = {
  /**
   * Returns when Temporal has taken the start, at the latest after `patienceMs`. Never fails. A run that does not start is started by the
   * sweep, because its row says that it is due.
   */
  ask(verification: VerificationStart): Promise<void>;
  /** Waits until Temporal has answered what was asked. */
  settled(): Promise<void>;
};

/** If Temporal is slow or away, callers do not queue up behind it: beyond this number the sweep starts the runs. */
const atOnceMax = 64;
const patienceMs = 2_000;

export function createRunStarts(temporal: Pick<TemporalClient, 'startVerification'>): RunStarts {
  const asked = new Set<Promise<void>>();
  return {
    async ask(verification) {
      if (asked.size >= atOnceMax) return;
      const start = temporal
        .startVerification(verification)
        .catch(() => undefined)
        .finally(() => asked.delete(start));
      asked.add(start);
      await Promise.race([start, pause(patienceMs, undefined, { ref: false })]);
    },
    settled: async () => void (await Promise.all(asked)),
  };
}
