import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { createTemporalClient } from '#platform/temporal-client.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { restartOverdueDeliveries } from '#services/deliveries/start.ts';
import { type Inspection, inspect } from '#services/inspection/inspect.ts';
import { openStore } from '#store/connection.ts';
import { print, readArguments } from './command-line.ts';
import { serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent inspect -- [--repair]';

/**
 * Prints faults such as overdue deliveries, or workflows whose verification has no row. With `--repair`, starts such deliveries
 * again and ends such workflows. The exit code is 0 if no fault is left, and 1 otherwise.
 */
async function main(): Promise<number> {
  const { repair } = readArguments(
    { options: { repair: { type: 'boolean', default: false } } },
    usage,
  ).values;
  const config = readConfig(process.env);
  const { databaseUrl, temporalAddress } = serversOf(config);
  if (temporalAddress === undefined)
    throw new StartFault(
      'TEMPORAL_ADDRESS is not set: the inspection compares the database with Temporal.',
      exitCodes.config,
    );
  const store = await openStore(databaseUrl, 2);
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const ctx = {
    store,
    temporal: createTemporalClient(connection, { namespace: config.temporal.namespace }),
    clock: systemClock,
    retryWaitsMs,
  };
  try {
    const found = await inspect(ctx);
    describe(found, repair);
    if (!repair) return hasFaults(found) ? 1 : 0;
    for (const id of found.orphanedWorkflows)
      await ctx.temporal.endVerification(id, 'the database does not know this verification');
    await restartOverdueDeliveries(ctx);
    return found.completedWithoutEvent + found.brokenChains.length > 0 ? 1 : 0;
  } finally {
    await Promise.allSettled([store.close(), connection.close()]);
  }
}

const hasFaults = (found: Inspection) =>
  found.overdueDeliveries +
    found.orphanedWorkflows.length +
    found.completedWithoutEvent +
    found.brokenChains.length >
  0;

function describe(found: Inspection, repair: boolean): void {
  const done = (text: string) => (repair ? text : 'repaired by --repair');
  print(`deliveries overdue: ${found.overdueDeliveries} (${done('started again')})`);
  print(
    `workflows of verifications that the database does not know: ${found.orphanedWorkflows.length} (${done('ended')})`,
  );
  for (const id of found.orphanedWorkflows) print(`  ${id}`);
  print(
    `claims without an answer for over 10 minutes: ${found.openClaims} (each finishes when its caller repeats the request)`,
  );
  print(
    `completed verifications without an event: ${found.completedWithoutEvent} (rows were edited by hand)`,
  );
  print(`ledger chains that do not hold: ${found.brokenChains.length} (rows were edited by hand)`);
  for (const id of found.brokenChains) print(`  ${id}`);
}

await main().then((code) => process.exit(code), exitWith);
