import { z } from 'zod';
import { Problem } from '#contract/errors.ts';
import { operatorsId } from '#contract/members.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '#contract/time.ts';
import { readConfig } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { createLog } from '#platform/log.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { callerOfOperator } from '#services/caller.ts';
import { operatorAtEndpoint } from '#services/deliveries/by-operator.ts';
import { pauseWebhook, resumeWebhook } from '#services/deliveries/pause-endpoint.ts';
import {
  type OrganisationAtWork,
  type Overview,
  organisationsAtWork,
  readOverview,
} from '#services/inspection/overview.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { countedUpTo } from '#store/database/statements.ts';
import { misused, print, readArguments } from './parts/command-line.ts';
import { serversOf, temporalOf } from './parts/servers.ts';

const usage =
  'Usage: npm run --silent operators -- [--json]\n' +
  '       npm run --silent operators -- --pause-endpoint ID | --resume-endpoint ID';

/** Prints what is open and how old it is, with one line for each organisation. Or pauses or resumes an endpoint of any organisation. */
async function main(): Promise<void> {
  const { json, endpoint } = readOptions();
  const config = readConfig(process.env);
  const store = await openStore(serversOf(config).databaseUrl, 4);
  try {
    if (endpoint !== undefined) await pause(store, endpoint);
    else await show(store, config, json);
  } finally {
    await store.close();
  }
}

async function pause(store: Store, { id, isPause }: Endpoint): Promise<void> {
  try {
    const operator = await operatorAtEndpoint({ store }, { id });
    const change = isPause ? pauseWebhook : resumeWebhook;
    const { byMember, byOperator } = await change({ store }, operator, { id });
    if (byOperator) print(`${id}: paused. Its deliveries wait, and its members cannot resume it.`);
    else if (byMember) print(`${id}: still paused, by a member of its organisation.`);
    else print(`${id}: resumed. What waits is sent from now on.`);
  } catch (error) {
    throw error instanceof Problem ? new StartFault(error.message, exitCodes.unavailable) : error;
  }
}

async function show(store: Store, config: ReturnType<typeof readConfig>, asJson: boolean): Promise<void> {
  const server = await temporalOf(config, 'it counts the open workflows.');
  const log = createLog({ level: 'warn', format: 'json' }, process.stderr);
  const clock = await startDatabaseClock({ store, log, instruments: noInstruments });
  try {
    const operator = callerOfOperator({ orgId: operatorsId, environment: 'live' });
    const overview = await readOverview({ store, clock, temporal: server.temporal }, operator);
    const organisations: OrganisationAtWork[] = [];
    for await (const each of organisationsAtWork({ store }, operator)) organisations.push(each);
    if (asJson) return print(JSON.stringify(inFigures(overview, organisations), null, 2));
    printTable([['what', 'how many', 'oldest'], ...linesOf(overview)]);
    print('');
    printTable([
      ['organisation', 'id', 'state', 'endpoints', 'of them paused', 'deliveries due', 'in queues'],
      ...organisations.map(({ name, id, paused, endpoints, pausedEndpoints, due, queued }) => [
        ...[name.replaceAll(/\p{C}/gu, '�'), id, paused ? 'PAUSED' : 'active'],
        ...[endpoints, pausedEndpoints, due, queued].map(String),
      ]),
    ]);
  } finally {
    clock.stop();
    await server.close();
  }
}

const openInFigures = (found: Overview['claims']) =>
  found && { open: found.open, oldest_seconds: found.oldestSeconds };

/** For programs. Null: what could not be read in time. */
const inFigures = (
  { purges, workflows, deliveries, ...others }: Overview,
  organisations: OrganisationAtWork[],
) => ({
  open_workflows: workflows,
  deliveries: deliveries && {
    ...deliveries,
    oldestDueSeconds: undefined,
    oldest_due_seconds: deliveries.oldestDueSeconds,
    oldest_queued_seconds: others.oldestQueuedSeconds,
  },
  submissions: openInFigures(others.submissions),
  unstarted: openInFigures(others.unstarted),
  unmasked: openInFigures(others.unmasked),
  reviews:
    others.reviews?.map(({ oldestSeconds, ...queue }) => ({ ...queue, oldest_seconds: oldestSeconds })) ??
    null,
  claims: openInFigures(others.claims),
  housekeeping_paused: others.housekeepingPaused,
  housekeeping:
    purges?.map(({ what, overdueMs, doneAt }) => ({
      ...{ kind: what, overdue_seconds: overdueMs / 1_000, last_success: doneAt?.toISOString() ?? null },
    })) ?? null,
  organisations: organisations.map(({ pausedEndpoints, ...each }) => ({
    ...each,
    paused_endpoints: pausedEndpoints,
  })),
});

const unread = 'not known';
const counted = (count: number | undefined) =>
  count === undefined ? unread : count < countedUpTo ? `${count}` : `${count} or more`;

function age(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const [size, unit] = (
    [
      [dayMs / secondMs, 'd'],
      [hourMs / secondMs, 'h'],
      [minuteMs / secondMs, 'min'],
    ] as const
  ).find(([size]) => seconds >= 2 * size) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit}`;
}

function linesOf(overview: Overview): string[][] {
  const { workflows, deliveries, reviews, purges, housekeepingPaused } = overview;
  const openLine = (what: string, found: Overview['claims']) => [
    what,
    counted(found?.open),
    age(found?.oldestSeconds),
  ];
  return [
    ...Object.entries(workflows ?? { '': undefined }).map(([type, count]) => [
      `open workflows ${type}`.trim(),
      counted(count),
      '',
    ]),
    ['deliveries waiting for their time', counted(deliveries?.waiting), ''],
    ['deliveries due', counted(deliveries?.due), age(deliveries?.oldestDueSeconds)],
    ['deliveries overdue', counted(deliveries?.overdue), ''],
    [
      'deliveries in the queue of their endpoint',
      counted(deliveries?.queued),
      age(overview.oldestQueuedSeconds ?? undefined),
    ],
    openLine('verifications without a workflow', overview.unstarted),
    openLine('submissions without a verdict', overview.submissions),
    openLine('documents without a masked copy', overview.unmasked),
    ...(reviews ?? []).map(({ environment, waiting, oldestSeconds }) => [
      `reviews waiting, ${environment}`,
      counted(waiting),
      age(oldestSeconds),
    ]),
    ...(reviews === null ? [['reviews waiting', unread, '']] : []),
    openLine('claims without an answer for 10 minutes', overview.claims),
    ['housekeeping', { true: 'PAUSED', false: 'active', null: unread }[`${housekeepingPaused}`], ''],
    ...(purges ?? []).map(({ what, overdueMs }) => [
      `data past their time, ${what}`,
      overdueMs > 0 ? 'some' : '0',
      age(overdueMs / 1_000),
    ]),
    ...(purges === null ? [['data past their time', unread, '']] : []),
  ];
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  for (const row of rows)
    print(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

type Endpoint = { id: string; isPause: boolean };

function readOptions(): { json: boolean; endpoint: Endpoint | undefined } {
  const { values } = readArguments(
    {
      options: {
        json: { type: 'boolean', default: false },
        'pause-endpoint': { type: 'string' },
        'resume-endpoint': { type: 'string' },
      },
    },
    usage,
  );
  const { json, 'pause-endpoint': paused, 'resume-endpoint': resumed } = values;
  const id = paused ?? resumed;
  if (id === undefined) return { json, endpoint: undefined };
  if (json || (paused !== undefined && resumed !== undefined)) throw misused(usage);
  if (!z.uuid().safeParse(id).success) throw misused(usage, 'Give the id of one endpoint.');
  return { json, endpoint: { id, isPause: paused !== undefined } };
}

await main().catch(exitWith);
