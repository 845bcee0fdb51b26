import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readConfig } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import { monthlyUsage, type UsageQuery } from '#services/usage/monthly.ts';
import { openStore } from '#store/orm.ts';
import { serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent usage -- [--org NAME] [--month YYYY-MM] [--json]';
const say = (line: string) => void process.stderr.write(`${line}\n`);
const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Counting years of verifications takes longer than any request may. */
const statementTimeoutMs = 60_000;

const Month = z
  .string()
  .regex(/^[1-9]\d{3}-(0[1-9]|1[0-2])$/)
  .optional();

/** Prints the live verifications that were completed, by organisation and month of UTC. */
async function main(): Promise<void> {
  const { json, ...query } = readArguments();
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1, statementTimeoutMs);
  try {
    const months = await monthlyUsage(store, query);
    if (months === undefined)
      throw new StartFault('There is no organisation of that name.', exitCodes.unavailable);
    const rows = months.map(({ organisationId, ...row }) => ({ ...row, organisation_id: organisationId }));
    if (json) return print(JSON.stringify(rows, null, 2));
    if (rows.length === 0) return say('No live verification was completed.');
    for (const row of rows)
      print([row.month, row.verifications, row.organisation_id, row.organisation].join('  '));
  } finally {
    await store.close();
  }
}

function readArguments(): UsageQuery & { json: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        org: { type: 'string' },
        month: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    return { organisation: values.org, month: Month.parse(values.month), json: values.json };
  } catch {
    throw new StartFault(usage, exitCodes.usage);
  }
}

await main().catch(exitWith);
