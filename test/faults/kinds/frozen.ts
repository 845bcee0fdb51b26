import { setTimeout as pause } from 'node:timers/promises';
import { freeze } from '#test/support/servers/freeze.ts';
import { besideSecondWorker } from './beside.ts';
import type { Fault } from './fault.ts';

type Named = 'api' | 'worker' | 'temporal' | 'postgres';

/** A part whose machine stands still and then goes on, as if no time had passed. */
const frozen = (part: Named, seconds: number): Fault => ({
  name: `${part} frozen for ${seconds} s`,
  mayRepeat: part !== 'api',
  maySendLate: part === 'worker',
  plan(machine, dice) {
    const afterMs = dice.whole(100, 600);
    let thaw: () => void;
    return {
      detail: `after ${afterMs} ms`,
      loadMs: Math.min(seconds, 10) * 1_000,
      async break() {
        await pause(afterMs);
        thaw = freeze(machine[part].pid() ?? 0);
        await pause(seconds * 1_000);
        return true;
      },
      mend: async () => thaw(),
    };
  },
});

export const frozenParts: readonly Fault[] = [
  frozen('worker', 3),
  frozen('temporal', 3),
  frozen('api', 60),
  besideSecondWorker(frozen('worker', 60)),
  frozen('temporal', 60),
  frozen('postgres', 60),
];
