import { startApiProcess } from '#api/main.ts';
import { readConfig } from '#platform/config.ts';
import type { Engine } from '#platform/engine.ts';
import { runUntilSignal } from '#platform/process.ts';
import { arriveAt, obeyHarness } from './trap.ts';

/** The product's API process, which can be told to die around its calls to the engine. */
const mortal = (engine: Engine): Engine => ({
  ...engine,
  async openVerification(...args) {
    arriveAt('API between claim and engine call');
    const result = await engine.openVerification(...args);
    arriveAt('API between engine call and answer');
    return result;
  },
  async completeVerification(...args) {
    arriveAt('API before the engine call of /complete');
    const result = await engine.completeVerification(...args);
    arriveAt('API between engine call and answer of /complete');
    return result;
  },
});

obeyHarness();
await runUntilSignal(async () => {
  const running = await startApiProcess(readConfig(process.env), (ctx) => ({
    ...ctx,
    engine: mortal(ctx.engine),
  }));
  process.send?.('ready');
  return running;
});
