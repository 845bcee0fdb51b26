import { globSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault.ts';

/** The library that gives a process a wrong clock (Debian: libfaketime). */
const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

const missing =
  library === undefined ? 'libfaketime is not installed (Debian: apt-get install libfaketime)' : undefined;

const wrongBy = (hours: number) => ({
  LD_PRELOAD: library,
  FAKETIME: `${hours > 0 ? '+' : ''}${hours}h`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** A part that runs on a machine whose clock is wrong by hours. Its monotonic clock is right. */
const wrongClock = (part: 'api' | 'worker'): Fault => ({
  name: `clock of ${part} wrong by hours`,
  mayRepeat: part === 'worker',
  missing,
  plan(machine, dice) {
    const hours = dice.whole(1, 20) * dice.pick([1, -1]);
    const exchange = async (env: NodeJS.ProcessEnv = {}) => {
      machine[part].signal('SIGTERM');
      await machine[part].gone();
      await machine[part].start({ env });
    };
    return {
      detail: `${hours} h`,
      loadMs: 3_000,
      prepare: () => exchange(wrongBy(hours)),
      async break() {
        await pause(5_000);
        return true;
      },
      mend: () => exchange(),
    };
  },
});

export const wrongClocks: readonly Fault[] = [wrongClock('api'), wrongClock('worker')];
