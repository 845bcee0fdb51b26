import { readConfig } from '#platform/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import {
  type OrganisationSettings,
  organisationSettings,
  settingName,
  settingProperties,
} from '#policy/organisation-settings.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { readSettings } from '#services/organisations/read-settings.ts';
import { openStore, type Store } from '#store/connection.ts';
import { misused, print, readArguments } from './command-line.ts';
import { serversOf } from './servers.ts';

const usage = 'Usage: npm run --silent organisations -- --org NAME [--set name=value ...] [--json]';

type Wanted = Partial<OrganisationSettings>;

/** Prints the settings of an organisation, or changes some of them. */
async function main(): Promise<void> {
  const { org, wanted, json } = readOptions();
  const store = await openStore(serversOf(readConfig(process.env)).databaseUrl, 1);
  try {
    if (wanted === undefined) await show(store, org, json);
    else await change(store, org, wanted);
  } finally {
    await store.close();
  }
}

async function show(store: Store, org: string, asJson: boolean): Promise<void> {
  const settings = await readSettings(store, org);
  if (settings === undefined) throw unknown();
  const rows = settingProperties.map((property) => ({
    name: settingName(property),
    value: settings[property],
    meaning: organisationSettings[property].meaning,
  }));
  if (asJson)
    return print(JSON.stringify(Object.fromEntries(rows.map(({ name, value }) => [name, value])), null, 2));
  const widthOf = (column: (row: (typeof rows)[number]) => string) =>
    Math.max(...rows.map((row) => column(row).length));
  const [nameWidth, valueWidth] = [widthOf(({ name }) => name), widthOf(({ value }) => inWords(value))];
  for (const { name, value, meaning } of rows)
    print(`${name.padEnd(nameWidth)}  ${inWords(value).padEnd(valueWidth)}  ${meaning}`);
}

async function change(store: Store, org: string, wanted: Wanted): Promise<void> {
  const changed = await changeSettings(store, org, wanted);
  if (changed === undefined) throw unknown();
  if ('refused' in changed) throw misused(usage, changed.refused);
  if (changed.changes.length === 0) return print('Nothing changed: the settings were so before.');
  for (const { property, from, to } of changed.changes)
    print(`${settingName(property)}: ${inWords(from)} -> ${inWords(to)}`);
}

const unknown = () => new StartFault('There is no organisation of that name.', exitCodes.unavailable);

const inWords = (value: OrganisationSettings[keyof OrganisationSettings]): string =>
  value === null ? '(not set)' : `${value}`;

function readOptions(): { org: string; wanted: Wanted | undefined; json: boolean } {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: {
        org: { type: 'string' },
        set: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
      },
    },
    usage,
  );
  const { org, set, json } = values;
  if (org === undefined || (set === undefined && positionals.length > 0)) throw misused(usage);
  const wanted = set === undefined ? undefined : Object.fromEntries([...set, ...positionals].map(parsed));
  return { org, wanted, json };
}

/** One `name=value` of the operator. */
function parsed(assignment: string): [property: string, value: unknown] {
  const [, name, given = ''] = /^([a-z_]+)=(.*)$/s.exec(assignment) ?? [];
  const property = settingProperties.find((each) => settingName(each) === name);
  if (property === undefined)
    throw misused(
      usage,
      `Give a setting as name=value. The names: ${settingProperties.map(settingName).join(', ')}.`,
    );
  const { parse, accepts } = organisationSettings[property];
  const value = parse(given);
  if (value === undefined) throw misused(usage, `${name} must be ${accepts}.`);
  return [property, value];
}

await main().catch(exitWith);
