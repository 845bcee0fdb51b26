import type { Log } from '#platform/log.ts';
import { housekeepingInput } from '#policy/retention.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { restartOverdueDeliveries } from '#services/deliveries/start.ts';
import { restartLostSubmissions } from '#services/flow/restart.ts';
import { failingEndpoints } from '#services/webhooks/failing.ts';

const intervalMs = 60_000;

type Options = { housekeeping: boolean };

/**
 * Starts the sweep, which runs immediately and then every minute. Several workers may run a sweep at the same time. The sweep
 * starts the workflows of lost deliveries and submissions again (decision 36). It warns of endpoints that have failed for a day. If
 * `housekeeping` is true, it also creates or corrects the housekeeping schedule.
 */
export function startSweep(
  ctx: DeliveryContext,
  log: Log,
  { housekeeping }: Options,
): { stop(): Promise<void> } {
  const warnOfFailing = failureWarnings(ctx, log);
  const sweep = async () => {
    await restartLostDeliveries(ctx, log);
    await restartLostFlows(ctx, log);
    await warnOfFailing();
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

/** Logs a failed step. The next sweep tries the step again. */
async function tried(log: Log, step: () => Promise<void>, fault: string): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.warn({ err: error }, fault);
  }
}

const restartLostDeliveries = (ctx: DeliveryContext, log: Log): Promise<void> =>
  tried(
    log,
    async () => {
      const overdue = await restartOverdueDeliveries(ctx);
      if (overdue > 0) log.warn({ overdue }, 'sweep: deliveries were overdue; their workflows run');
    },
    'sweep failed; the next one is in a minute',
  );

const restartLostFlows = (ctx: DeliveryContext, log: Log): Promise<void> =>
  tried(
    log,
    async () => {
      const overdue = await restartLostSubmissions(ctx);
      if (overdue > 0) log.warn({ overdue }, 'sweep: flows await their verdict; their workflows run');
    },
    'sweep of flows failed; the next one is in a minute',
  );

const keepSchedule = ({ temporal }: DeliveryContext, log: Log): Promise<void> =>
  tried(
    log,
    () => temporal.ensureHousekeeping(housekeepingInput),
    'the schedule of housekeeping could not be looked at; the next look is in a minute',
  );

/**
 * Warns if an endpoint has failed for a day, and again after each further day. Each worker process warns separately. The URL is
 * not logged, because it can contain a secret of the partner.
 */
export function failureWarnings(
  ctx: Pick<DeliveryContext, 'store' | 'clock'>,
  log: Log,
): () => Promise<void> {
  let said = new Map<string, number>();
  const warn = async () => {
    const failing = await failingEndpoints(ctx);
    for (const { id, orgId, failingSince, days, consecutiveFailures, lastSuccessAt } of failing)
      if (said.get(id) !== days)
        log.warn(
          { endpoint: id, organisation: orgId, failingSince, consecutiveFailures, lastSuccessAt },
          'webhook endpoint: every attempt has failed for a day or longer; it stays active',
        );
    said = new Map(failing.map(({ id, days }) => [id, days]));
  };
  return () => tried(log, warn, 'failing endpoints could not be looked for; the next look is in a minute');
}
