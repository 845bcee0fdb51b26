import { readConfig } from '#platform/config/config.ts';
import type { Sender } from '#platform/outbound/http.ts';
import { runUntilSignal } from '#platform/process.ts';
import type { TemporalClient } from '#platform/temporal/client.ts';
import { startWorkerProcess } from '#worker/main.ts';
import { diesByStatement } from './statements.ts';
import { arriveAt, obeyHarness } from './trap.ts';

/** The product's worker process, which can be told to die around its statements, its sends and its calls to Temporal. */

const retryWaitsMs = [1_000, 1_000, 2_000, 4_000, 8_000];

const mortalClient = (temporal: TemporalClient): TemporalClient => ({
  ...temporal,
  async startDelivery(input) {
    arriveAt('worker before startDeliveries');
    await temporal.startDelivery(input);
    arriveAt('worker after startDeliveries');
  },
});

const mortalSender = (sender: Sender): Sender => ({
  ...sender,
  async post(...args) {
    arriveAt('worker between attempt row and send');
    const posted = await sender.post(...args);
    if (posted.answered && posted.status < 300) arriveAt('worker after 2xx before commit');
    return posted;
  },
});

obeyHarness();
diesByStatement({
  recording: {
    statement: /insert into "verifications"/i,
    before: 'worker before the recording transaction',
    during: 'worker during the recording transaction',
    after: 'worker after the recording transaction',
  },
  completing: {
    statement: /update "verifications"/i,
    before: 'worker before the completing transaction',
    during: 'worker during the completing transaction',
    after: 'worker after the completing transaction',
  },
  attempt: {
    statement: /insert into "delivery_attempts"/i,
    before: 'worker before the attempt row',
    during: 'worker during the attempt row',
  },
  outcome: {
    statement: /update "delivery_attempts"/i,
    during: 'worker during the commit of the outcome',
    after: 'worker after commit',
  },
});
await runUntilSignal(async () => {
  const running = await startWorkerProcess(readConfig(process.env), (ctx) => ({
    ...ctx,
    temporal: mortalClient(ctx.temporal),
    sender: mortalSender(ctx.sender),
    retryWaitsMs,
  }));
  process.send?.('ready');
  return running;
});
