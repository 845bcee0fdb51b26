import { z } from 'zod';
import { readConfig } from '#platform/config/config.ts';
import { exitWith } from '#platform/process.ts';
import { monthlyUsage, type UsageQuery } from '#services/usage/monthly.ts';
import { openStore } from '#store/database/connection.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { unknownOrganisation } from './parts/one-organisation.ts';
import { serversOf } from './parts/servers.ts';

const usage = 'Usage: npm run --silent usage -- [--org NAME] [--month YYYY-MM] [--json]';

/** A count over several years can take longer than the default time-out. */
const statementTimeoutMs = 60_000;

const Month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/)
  .optional();

/** Prints the number of completed live verifications and income checks, by organisation and month (UTC). */
async function main(): Promise<void> {
  const { json, ...query } = readQuery();
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1, { statementTimeoutMs });
  try {
    const months = await monthlyUsage(store, query);
    if (months === undefined) throw unknownOrganisation();
    const rows = months.map(({ organisationId, ...row }) => ({ ...row, organisation_id: organisationId }));
    if (json) return print(JSON.stringify(rows, null, 2));
    if (rows.length === 0) return note('No live verification was completed.');
    for (const row of rows)
      print([row.month, row.verifications, row.organisation_id, row.organisation].join('  '));
  } finally {
    await store.close();
  }
}

function readQuery(): UsageQuery & { json: boolean } {
  const { values } = readArguments(
    {
      options: {
        org: { type: 'string' },
        month: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    },
    usage,
  );
  const month = Month.safeParse(values.month);
  if (!month.success) throw misused(usage);
  return { organisation: values.org, month: month.data, json: values.json };
}

await main().catch(exitWith);
