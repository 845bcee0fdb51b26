import { z } from 'zod';
import { Problem } from '#contract/errors.ts';
import { readConfig } from '#platform/config/config.ts';
import { exitWith } from '#platform/process.ts';
import { removalWarningDays } from '#policy/relations.ts';
import { type Removal, removalsAhead, verificationsWithReference } from '#services/relations/removals.ts';
import { type RelationRefusal, type RelationReport, reportRelation } from '#services/relations/report.ts';
import { operatorAtVerification } from '#services/verifications/by-operator.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { operatorAt, unknownOrganisation } from './parts/one-organisation.ts';
import { type ReportOfFile, readReports } from './parts/relations-file.ts';
import { serversOf } from './parts/servers.ts';

const usage = `Usage:
  npm run --silent relations -- [--org NAME] [--days N] [--json]
  npm run --silent relations -- --ended YYYY-MM-DD|--continues VERIFICATION_ID ...
  npm run --silent relations -- --ended YYYY-MM-DD|--continues --org NAME --reference TEXT
  npm run --silent relations -- --file FILE|- [--org NAME]`;

const statementTimeoutMs = 60_000;

/**
 * Lists the verifications that are removed next, or notes the end of business relationships. The exit code is 1 if a report was
 * refused; the others are noted all the same.
 */
async function main(): Promise<number> {
  const wanted = await readOptions();
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1, { statementTimeoutMs });
  try {
    if ('reports' in wanted) return await noteAll(store, wanted.org, wanted.reports);
    await list(store, wanted);
    return 0;
  } finally {
    await store.close();
  }
}

type Listing = { org: string | undefined; days: number; json: boolean };

async function list(store: Store, { org, days, json }: Listing): Promise<void> {
  const batches = await removalsAhead({ store }, { organisation: org, days });
  if (batches === undefined) throw unknownOrganisation();
  let listed = 0;
  for await (const batch of batches) {
    for (const removal of batch) print(json ? JSON.stringify(asJson(removal)) : inWords(removal));
    listed += batch.length;
  }
  if (listed === 0) note(`No verification of live is removed within ${days} days.`);
}

const asJson = ({ id, organisation, reference, endedOn, removedAfter }: Removal) => ({
  ...{ id, organisation, reference },
  ...{ relation_ended_on: endedOn, removed_after: removedAfter.toISOString() },
});

const inWords = ({ id, organisation, reference, endedOn, removedAfter }: Removal): string =>
  [
    ...[removedAfter.toISOString(), id],
    endedOn === null ? 'no end reported' : `ended ${endedOn}`,
    ...[organisation, ...(reference === null ? [] : [JSON.stringify(reference)])],
  ].join('  ');

/** Carries out one report after the other. So a command that was interrupted can be repeated. */
async function noteAll(
  store: Store,
  org: string | undefined,
  reports: readonly ReportOfFile[],
): Promise<number> {
  const count = { new: 0, known: 0, refused: 0 };
  for (const given of reports)
    for (const report of await reportsOf(store, org, given)) count[await noteOne(store, report)] += 1;
  note(`Reported: ${count.new}; reported before: ${count.known}; refused: ${count.refused}.`);
  return count.refused === 0 ? 0 : 1;
}

async function reportsOf(
  store: Store,
  org: string | undefined,
  { endedOn, ...given }: ReportOfFile,
): Promise<(RelationReport | 'without verification')[]> {
  if ('id' in given) return [{ id: given.id, endedOn }];
  const ids = await verificationsWithReference({ store }, await operatorAt(store, org ?? ''), given);
  return ids.length === 0 ? ['without verification'] : ids.map((id) => ({ id, endedOn }));
}

const refusals: Record<RelationRefusal, string> = {
  sandbox: 'a verification of sandbox has no business relationship',
  not_completed: 'the verification is not completed',
  before_completion: 'the date is before the completion of the verification',
  in_future: 'the date is in the future',
};

async function noteOne(
  store: Store,
  report: RelationReport | 'without verification',
): Promise<'new' | 'known' | 'refused'> {
  if (report === 'without verification') {
    note('Refused: no completed verification of live has this reference.');
    return 'refused';
  }
  const { id, endedOn } = report;
  const reported = await operatorAtVerification({ store }, { id })
    .then((operator) => reportRelation({ store }, operator, { id, endedOn }))
    .catch(unlessUnknown);
  if ('refused' in reported) {
    const { refused } = reported;
    note(`Refused ${id}: ${refused === 'unknown' ? 'there is no such verification' : refusals[refused]}.`);
    return 'refused';
  }
  const { isNew, keptUntil } = reported;
  const until = keptUntil === null ? 'an end is reported' : keptUntil.toISOString();
  print(`${id}  ${endedOn === null ? 'continues' : `ended ${endedOn}`}  kept until ${until}`);
  return isNew ? 'new' : 'known';
}

function unlessUnknown(error: unknown): { refused: 'unknown' } {
  if (error instanceof Problem && error.code === 'verification_not_found') return { refused: 'unknown' };
  throw error;
}

const Days = z.coerce.number().int().min(1).max(36_500).default(removalWarningDays);

async function readOptions(): Promise<Listing | { org: string | undefined; reports: ReportOfFile[] }> {
  const { values, positionals: ids } = readArguments(
    {
      allowPositionals: true,
      options: {
        ended: { type: 'string' },
        continues: { type: 'boolean', default: false },
        reference: { type: 'string' },
        file: { type: 'string' },
        org: { type: 'string' },
        days: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    },
    usage,
  );
  const { ended, continues, reference, file, org, json } = values;
  const days = Days.safeParse(values.days);
  if (!days.success) throw misused(usage, '--days must be a whole number.');
  const reportsOne = ended !== undefined || continues;
  if (!reportsOne && file === undefined) {
    if (ids.length > 0 || reference !== undefined) throw misused(usage, 'Give --ended or --continues.');
    return { org, days: days.data, json };
  }
  if (json || values.days !== undefined) throw misused(usage, '--days and --json are for the list.');
  const reports = file === undefined ? given({ ended, continues, reference, ids }) : await readReports(file);
  if (file !== undefined && (reportsOne || reference !== undefined || ids.length > 0))
    throw misused(usage, 'With --file, everything is in the file.');
  if (org === undefined && reports.some((report) => 'reference' in report))
    throw misused(usage, 'A reference is of one organisation: give --org.');
  return { org, reports };
}

type Given = {
  ended: string | undefined;
  continues: boolean;
  reference: string | undefined;
  ids: readonly string[];
};

function given({ ended, continues, reference, ids }: Given): ReportOfFile[] {
  if (ended !== undefined && continues) throw misused(usage, 'Give --ended or --continues, not both.');
  if (ended !== undefined && !z.iso.date().safeParse(ended).success)
    throw misused(usage, '--ended must be a date, YYYY-MM-DD.');
  const endedOn = ended ?? null;
  if (reference !== undefined && ids.length === 0) return [{ reference, endedOn }];
  if (reference !== undefined || ids.length === 0 || !ids.every((id) => z.uuid().safeParse(id).success))
    throw misused(usage, 'Give the ids of verifications, or a reference.');
  return ids.map((id) => ({ id, endedOn }));
}

await main().then((code) => {
  process.exitCode = code;
}, exitWith);
