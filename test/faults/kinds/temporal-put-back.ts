import { copyFileSync, globSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../machine/machine.ts';
import type { Fault } from './fault.ts';

/** Temporal fails and comes back as it was more than ten seconds ago. The database knows more than Temporal. */
export const temporalPutBack: Fault = {
  name: 'Temporal put back by ten seconds',
  mayRepeat: true,
  needsRepair: true,
  plan(machine, dice) {
    const ms = 10_000 + dice.whole(500, 4_000);
    const beforeMs = dice.whole(0, 1_500);
    return {
      detail: `by ${ms - beforeMs} ms`,
      loadMs: ms,
      async break() {
        await pause(beforeMs);
        copyData(machine);
        await pause(ms - beforeMs);
        machine.temporal.signal('SIGKILL');
        await machine.temporal.gone();
        return true;
      },
      async mend() {
        putBackData(machine);
        await machine.temporal.start();
      },
    };
  },
};

const suffix = '.copy';

/** While the server stands still, its files are as a power cut would leave them. */
function copyData({ temporal, temporalFile }: Machine): void {
  temporal.signal('SIGSTOP');
  for (const file of globSync(`${temporalFile}*`)) copyFileSync(file, file + suffix);
  temporal.signal('SIGCONT');
}

function putBackData({ temporalFile }: Machine): void {
  for (const file of globSync(`${temporalFile}*`)) if (!file.endsWith(suffix)) rmSync(file);
  for (const file of globSync(`${temporalFile}*${suffix}`)) renameSync(file, file.slice(0, -suffix.length));
}
