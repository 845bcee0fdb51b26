import type { Log } from '#platform/log.ts';
import { housekeepingInput } from '#policy/retention.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { restartOverdueDeliveries } from '#services/deliveries/start.ts';

const intervalMs = 60_000;

type Options = { housekeeping: boolean };

/**
 * Looks for lost deliveries at start and every minute (decision 36), and for the schedule of housekeeping. Two processes doing
 * so at once do no harm.
 */
export function startSweep(
  ctx: DeliveryContext,
  log: Log,
  { housekeeping }: Options,
): { stop(): Promise<void> } {
  const sweep = async () => {
    await restartLostDeliveries(ctx, log);
    if (housekeeping) await keepSchedule(ctx, log);
  };
  let running: Promise<void> = sweep();
  const timer = setInterval(() => {
    running = running.then(sweep);
  }, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function restartLostDeliveries(ctx: DeliveryContext, log: Log): Promise<void> {
  try {
    const overdue = await restartOverdueDeliveries(ctx);
    if (overdue > 0) log.warn({ overdue }, 'sweep: deliveries were overdue; their workflows run');
  } catch (error) {
    log.warn({ err: error }, 'sweep failed; the next one is in a minute');
  }
}

async function keepSchedule({ engine }: DeliveryContext, log: Log): Promise<void> {
  try {
    await engine.ensureHousekeeping(housekeepingInput);
  } catch (error) {
    log.warn(
      { err: error },
      'the schedule of housekeeping could not be looked at; the next look is in a minute',
    );
  }
}
