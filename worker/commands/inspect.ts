import { hourMs } from '#contract/time.ts';
import { readConfig } from '#platform/config/config.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import { createLog } from '#platform/log.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { retryWaitsMs } from '#policy/retry-schedule.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { type HistoryFault, historyParts, inspectHistory } from '#services/inspection/history.ts';
import { openWork } from '#services/inspection/open-work.ts';
import { orphanedWorkflows } from '#services/inspection/orphaned-workflows.ts';
import { brokenStatements, checkRoots, newestStatement, type RootFault } from '#services/ledger/roots.ts';
import { type Place, readPlace } from '#services/portions/walk.ts';
import { repeatErasures, undoneErasures } from '#services/privacy/erasures.ts';
import { type PurgeState, purgeStates } from '#services/retention/overdue.ts';
import { openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { countedUpTo } from '#store/database/statements.ts';
import { misused, print, readArguments } from './parts/command-line.ts';
import { withProgress } from './parts/progress.ts';
import { rootsOf, serversOf, temporalOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent inspect -- [--repair] [--only work|history] [--from PLACE]';

/** A page of a large table takes longer than a query of the product. */
const statementTimeoutMs = 300_000;

/**
 * Prints faults such as overdue deliveries, or workflows without work. With `--repair`, starts such deliveries
 * again and ends such workflows. Then it reads the whole history, which can take long. The exit code is 0 if no fault is left, and
 * 1 otherwise.
 */
async function main(): Promise<number> {
  const options = readOptions();
  const config = readConfig(process.env);
  const server = await temporalOf(config, 'the inspection compares the database with Temporal.');
  const store = await openStore(serversOf(config).databaseUrl, 2, { statementTimeoutMs });
  const log = createLog({ level: 'warn', format: 'json' }, process.stderr);
  const clock = await startDatabaseClock({ store, log, instruments: noInstruments });
  const roots = rootsOf(config);
  const ctx = { store, temporal: server.temporal, clock, retryWaitsMs, roots };
  try {
    let faults = 0;
    if (options.work) {
      faults += await inspectWork(ctx, options.repair);
      describeOldData(await purgeStates(ctx));
    }
    if (options.history) {
      if (options.from === undefined) faults += await readRoots(ctx.roots);
      faults += await readHistory(ctx, options.from);
    }
    return faults === 0 ? 0 : 1;
  } finally {
    clock.stop();
    await Promise.allSettled([store.close(), server.close()]);
  }
}

type Options = { repair: boolean; work: boolean; history: boolean; from: Place | undefined };

function readOptions(): Options {
  const { repair, only, from } = readArguments(
    {
      options: {
        repair: { type: 'boolean', default: false },
        only: { type: 'string' },
        from: { type: 'string' },
      },
    },
    usage,
  ).values;
  if (only !== undefined && only !== 'work' && only !== 'history') throw misused(usage);
  const place = from === undefined ? undefined : readPlace(from, historyParts);
  if (from !== undefined && (place === undefined || only === 'work'))
    throw misused(usage, '--from is not a place that this command has printed.');
  const history = only !== 'work';
  return { repair, work: only !== 'history' && from === undefined, history, from: place };
}

type Work = Parameters<typeof restartOverdueDeliveries>[0] &
  Parameters<typeof orphanedWorkflows>[0] & { roots: RootFiles | undefined };

/** Returns the number of faults that are left. */
async function inspectWork(ctx: Work, repair: boolean): Promise<number> {
  const { overdueDeliveries, unstarted, openClaims } = await openWork(ctx);
  if (repair) print(`deliveries overdue: ${await restartOverdueDeliveries(ctx)} (started again)`);
  else print(`deliveries overdue: ${counted(overdueDeliveries)} (repaired by --repair)`);
  print(
    `verifications whose workflow has not started for over 75 seconds: ${counted(unstarted)} (the sweep of a worker starts them)`,
  );
  let orphans = 0;
  for await (const id of orphanedWorkflows(ctx)) {
    orphans += 1;
    if (repair)
      await ctx.temporal.endVerification(id, 'this verification is completed or not in the database');
    print(`  verification ${id} is completed or not in the database`);
  }
  print(
    `workflows whose verification is completed or not in the database: ${orphans} (${repair ? 'ended' : 'repaired by --repair'})`,
  );
  print(
    `claims without an answer for over 10 minutes: ${counted(openClaims)} (each finishes when its caller repeats the request)`,
  );
  const undone = ctx.roots === undefined ? 0 : await inspectErasures(ctx, ctx.roots, repair);
  return repair ? 0 : overdueDeliveries + orphans + undone;
}

/** Returns the number of persons that a restored database has brought back. */
async function inspectErasures(ctx: Pick<Work, 'store'>, roots: RootFiles, repair: boolean): Promise<number> {
  let undone = 0;
  for await (const { id } of undoneErasures(ctx, roots)) {
    undone += 1;
    print(`  verification ${id} was erased, and this database has it again`);
  }
  if (repair) await repeatErasures(ctx, roots);
  print(`erasures that a restore has undone: ${undone} (${repair ? 'repeated' : 'repaired by --repair'})`);
  return undone;
}

const counted = (count: number) => (count < countedUpTo ? `${count}` : `${count} or more`);

const faultLines: Record<HistoryFault, (id: string) => string> = {
  completed_without_event: (id) => `  verification ${id} is completed and has no event`,
  differs_from_ledger: (id) => `  the row of ${id} is not what the last line of its chain says`,
  lacks_row: (id) => `  the chain of ${id} has no row`,
  broken_chain: (id) => `  the chain of ${id} does not hold`,
  not_as_signed: (id) => `  the chain of ${id} lost lines that were signed, or they were changed`,
};

/** Returns the number of faults. */
async function readHistory(
  ctx: Parameters<typeof inspectHistory>[0],
  from: Place | undefined,
): Promise<number> {
  const found: Record<HistoryFault, number> = {
    completed_without_event: 0,
    differs_from_ledger: 0,
    lacks_row: 0,
    broken_chain: 0,
    not_as_signed: 0,
  };
  const tell = (fault: HistoryFault, id: string) => {
    found[fault] += 1;
    print(faultLines[fault](id));
  };
  const command = 'npm run --silent inspect --';
  await withProgress({ command, from }, (course) => inspectHistory(ctx, tell, course));
  if (from?.part !== 'ledger' && from?.part !== 'signed') {
    print(
      `completed verifications without an event: ${found.completed_without_event} (rows were edited by hand)`,
    );
    print(
      `rows that differ from the ledger: ${found.differs_from_ledger} (rows were edited, or lines were removed)`,
    );
  }
  if (from?.part !== 'signed') {
    print(`ledger chains without a row: ${found.lacks_row} (rows were removed)`);
    print(`ledger chains that do not hold: ${found.broken_chain} (rows were edited by hand)`);
  }
  if (ctx.roots !== undefined)
    print(`ledger chains that are not as signed: ${found.not_as_signed} (rows were edited or removed)`);
  return Object.values(found).reduce((sum, count) => sum + count, 0);
}

const rootFaultLines: Record<RootFault, string> = {
  signature_does_not_fit: 'its statement is not what was signed, or another key signed it',
  statement_removed: 'the statement before it was removed',
  not_compared: 'the ends of the day before were lost, so a cut on that day may be hidden',
  heads_changed: 'its ends are not those that were signed',
};

/** Checks the signed roots of the ledger. Returns the number of faults. */
async function readRoots(roots: RootFiles | undefined): Promise<number> {
  if (roots === undefined) {
    print('signed ends of the ledger: none (LEDGER_KEY and LEDGER_DIR are not set)');
    return 0;
  }
  let faults = 0;
  await checkRoots(roots, (fault, day) => {
    faults += 1;
    print(`  signed ends of ${day}: ${rootFaultLines[fault]}`);
  });
  for (const { day, broken_chains, broken } of await brokenStatements(roots))
    print(
      `  noted on ${day}: ${broken_chains} chains were cut or changed: ${broken.slice(0, namedMax).join(', ')}`,
    );
  const newest = (await newestStatement(roots))?.statement;
  print(
    `signed ends of the ledger: ${newest ? `of ${newest.at}, ${newest.chains} chains` : 'not yet'}; faults ${faults}`,
  );
  return faults;
}

const namedMax = 20;

/** Housekeeping runs every hour, so what is overdue for longer was not purged. */
const lateMs = 7_200_000;

function describeOldData(states: readonly PurgeState[]): void {
  const late = states.filter(({ overdueMs }) => overdueMs > lateMs);
  print(
    `kinds of data kept for too long: ${late.length} (housekeeping deletes them, unless it is paused or fails)`,
  );
  for (const { what, overdueMs, doneAt } of late)
    print(
      `  ${what}: the oldest by ${Math.round(overdueMs / hourMs)} hours; last finished ${doneAt?.toISOString() ?? 'never'}`,
    );
}

await main().then((code) => process.exit(code), exitWith);
