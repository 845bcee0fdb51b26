import { setTimeout as pause } from 'node:timers/promises';
import type { Part } from '../machine/servers.ts';
import type { Fault } from './fault.ts';

type Named = 'api' | 'worker' | 'temporal' | 'postgres';

const kill = (name: string, mayRepeat: boolean, parts: Named[]): Fault => ({
  name,
  mayRepeat,
  plan(machine, dice) {
    const afterMs = dice.whole(100, 600);
    const victims = parts.map((part) => machine[part]);
    return {
      detail: `after ${afterMs} ms`,
      async break() {
        await pause(afterMs);
        await killAll(victims);
        return true;
      },
      mend: () => startInTurn(victims),
    };
  },
});

const killAll = async (parts: Part[]) => {
  for (const part of parts) part.signal('SIGKILL');
  await Promise.all(parts.map((part) => part.gone()));
};

/** The worker comes last, since it does not start without its servers. */
async function startInTurn(parts: Part[]): Promise<void> {
  for (const part of parts) await part.start();
}

export async function killAndStart(parts: Part[]): Promise<void> {
  await killAll(parts);
  await startInTurn(parts);
}

export const killed: readonly Fault[] = [
  kill('API killed', false, ['api']),
  kill('worker killed', true, ['worker']),
  kill('Temporal killed', true, ['temporal']),
  kill('Postgres killed', true, ['postgres']),
  kill('everything killed at once', true, ['postgres', 'temporal', 'api', 'worker']),
];
