import { startApiProcess } from '#api/main.ts';
import { readConfig } from '#platform/config/config.ts';
import { runUntilSignal } from '#platform/process.ts';
import type { TemporalClient } from '#platform/temporal/client.ts';
import { arriveAt, obeyHarness } from './trap.ts';

/** The Temporal client of the product's API process, which can be told to die before and after its calls. */
const mortal = (temporal: TemporalClient): TemporalClient => ({
  ...temporal,
  async openVerification(...args) {
    arriveAt('API between claim and Temporal call');
    const result = await temporal.openVerification(...args);
    arriveAt('API between Temporal call and answer');
    return result;
  },
  startVerification(...args) {
    arriveAt('API between the commit of a pending create and its start');
    return temporal.startVerification(...args);
  },
  async command(...args) {
    arriveAt('API before the Temporal call of /complete');
    const result = await temporal.command(...args);
    arriveAt('API between Temporal call and answer of /complete');
    return result;
  },
});

obeyHarness();
await runUntilSignal(async () => {
  const running = await startApiProcess(readConfig(process.env), (ctx) => ({
    ...ctx,
    temporal: mortal(ctx.temporal),
  }));
  process.send?.('ready');
  return running;
});
