import type { Fault } from './fault.ts';

/**
 * The same fault, by the dice with a second worker that nothing happens to. It takes over what the first one leaves, while the first
 * one may still believe that it has it.
 */
export const besideSecondWorker = (fault: Fault): Fault => ({
  ...fault,
  maySendLate: true,
  plan(machine, dice) {
    const strike = fault.plan(machine, dice);
    if (!dice.chance(0.5)) return strike;
    const { secondWorker } = machine;
    return {
      ...strike,
      detail: `${strike.detail}, beside a second worker`,
      async prepare() {
        await secondWorker.start();
        await strike.prepare?.();
      },
      async mend(hit) {
        await strike.mend(hit);
        secondWorker.signal('SIGTERM');
        await secondWorker.gone();
      },
    };
  },
});
