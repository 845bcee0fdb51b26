import type { Log } from '#platform/log.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { restartOverdueDeliveries } from '#services/deliveries/start.ts';

const intervalMs = 60_000;

/** Looks for lost deliveries at start and every minute (decision 36). Two processes doing so at once do no harm. */
export function startSweep(ctx: DeliveryContext, log: Log): { stop(): Promise<void> } {
  let running: Promise<void> = sweep(ctx, log);
  const timer = setInterval(() => {
    running = running.then(() => sweep(ctx, log));
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function sweep(ctx: DeliveryContext, log: Log): Promise<void> {
  try {
    const overdue = await restartOverdueDeliveries(ctx);
    if (overdue > 0) log.warn({ overdue }, 'sweep: deliveries were overdue; their workflows run');
  } catch (error) {
    log.warn({ err: error }, 'sweep failed; the next one is in a minute');
  }
}
