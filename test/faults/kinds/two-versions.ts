import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { changedProduct } from '#test/support/changed-product.ts';
import { activityOfNewer, newerActivity, newerTimers } from '#test/support/newer-product.ts';
import type { Fault } from './fault.ts';

/**
 * A version whose workflows issue further commands is rolled out and rolled back. Before and after, workers of both versions work
 * side by side.
 */
export const twoVersions: Fault = {
  name: 'workers of two versions',
  mayRepeat: true,
  plan({ worker, secondWorker }, dice) {
    const [besideMs, aloneMs, againMs] = [
      dice.whole(500, 3_000),
      dice.whole(500, 4_000),
      dice.whole(500, 3_000),
    ];
    const signal = dice.pick(['SIGTERM', 'SIGKILL'] as const);
    let newer: string;
    return {
      detail: `side by side for ${besideMs} ms, the newer alone for ${aloneMs} ms, again for ${againMs} ms, by ${signal}`,
      loadMs: besideMs + aloneMs + againMs,
      async prepare() {
        const changes = [...newerTimers, ...newerActivity, activityOfNewer];
        newer = await changedProduct(changes, ['test/faults', 'test/support']);
        await secondWorker.start({ root: newer });
      },
      async break() {
        await pause(besideMs);
        worker.signal(signal);
        await worker.gone();
        await pause(aloneMs);
        await worker.start();
        await pause(againMs);
        return true;
      },
      async mend() {
        secondWorker.signal(signal);
        await secondWorker.gone();
        await rm(newer, { recursive: true, force: true });
      },
    };
  },
};
