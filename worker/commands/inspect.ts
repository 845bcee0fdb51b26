import { parseArgs } from 'node:util';
import { addressRules } from '#platform/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { createSecrets } from '#platform/crypto.ts';
import { createEngine } from '#platform/engine.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { restartOverdueDeliveries } from '#services/deliveries/start.ts';
import { type Inspection, inspect } from '#services/inspection/inspect.ts';
import { openStore } from '#store/orm.ts';
import { serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent inspect -- [--repair]';
const print = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Says what the sweep and the next command cannot see or mend, and with `--repair` mends what can be: exit code 0 when
 * nothing is amiss (any more), 1 otherwise.
 */
async function main(): Promise<number> {
  const { repair } = readArguments();
  const config = readConfig(process.env);
  const { databaseUrl, temporalAddress } = serversOf(config);
  if (temporalAddress === undefined)
    throw new StartFault('TEMPORAL_ADDRESS is not set: without it only half can be seen.', exitCodes.config);
  const store = await openStore(databaseUrl, 2);
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const ctx = {
    store,
    engine: createEngine(connection, { namespace: config.temporal.namespace }),
    clock: systemClock,
    // Nothing is opened or sent from here, so no secret of the product is needed.
    secrets: createSecrets([Buffer.alloc(32)]),
    addresses: addressRules([]),
    publicUrl: config.publicUrl,
    instruments: noInstruments,
    retryWaitsMs,
  };
  try {
    const found = await inspect(ctx);
    describe(found, repair);
    if (!repair) return amiss(found) ? 1 : 0;
    for (const id of found.orphanedWorkflows)
      await ctx.engine.endVerification(id, 'the database does not know this verification');
    await restartOverdueDeliveries(ctx);
    return found.completedWithoutEvent + found.brokenChains.length > 0 ? 1 : 0;
  } finally {
    await Promise.allSettled([store.close(), connection.close()]);
  }
}

const amiss = (found: Inspection) =>
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
    `claims without an answer for over 10 minutes: ${found.openClaims} (their callers' repetition carries them out)`,
  );
  print(
    `completed verifications without an event: ${found.completedWithoutEvent} (rows were edited by hand)`,
  );
  print(`ledger chains that do not hold: ${found.brokenChains.length} (rows were edited by hand)`);
  for (const id of found.brokenChains) print(`  ${id}`);
}

function readArguments(): { repair: boolean } {
  try {
    return parseArgs({ options: { repair: { type: 'boolean', default: false } } }).values;
  } catch {
    throw new StartFault(usage, exitCodes.usage);
  }
}

await main().then((code) => process.exit(code), exitWith);
