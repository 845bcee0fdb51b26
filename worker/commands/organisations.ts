import { readFile } from 'node:fs/promises';
import { fourEyesDays } from '#contract/members.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createLog } from '#platform/log.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import type { PictureFault } from '#platform/pictures/picture.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import {
  type OrganisationSettings,
  organisationSettings,
  settingName,
  settingProperties,
} from '#policy/organisation-settings.ts';
import { operatorAtOrganisation } from '#services/organisations/by-operator.ts';
import { changeLogo } from '#services/organisations/change-logo.ts';
import { changeSettings } from '#services/organisations/change-settings.ts';
import { readSettings, untoldInLive } from '#services/organisations/read-settings.ts';
import { lacksFourEyes } from '#services/reviews/independent.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { misused, note, print, readArguments } from './parts/command-line.ts';
import { operatorAt, unknownOrganisation } from './parts/one-organisation.ts';
import { serversOf } from './parts/servers.ts';

const usage =
  'Usage: npm run --silent organisations -- --org NAME [--set name=value ...] [--json]\n' +
  '       npm run --silent organisations -- --org NAME --logo FILE|none';

type Wanted = Partial<OrganisationSettings>;

/** Prints the settings of an organisation, or changes some of them. */
async function main(): Promise<void> {
  const { org, wanted, json, logo } = readOptions();
  const config = readConfig(process.env);
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    if (logo !== undefined) await setLogo(store, config, org, logo);
    else if (wanted === undefined) await show(store, org, json);
    else await change(store, org, wanted);
    await warn(store, org);
  } finally {
    await store.close();
  }
}

async function show(store: Store, org: string, asJson: boolean): Promise<void> {
  const settings = await readSettings(store, { name: org });
  if (settings === undefined) throw unknownOrganisation();
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
  const changed = await changeSettings({ store }, await operatorAt(store, org), wanted);
  if (changed.changes.length === 0) return print('Nothing changed: the settings were so before.');
  for (const { property, from, to } of changed.changes)
    print(`${settingName(property)}: ${inWords(from)} -> ${inWords(to)}`);
}

/** A live key can be made before the organisation has said who it is, and four eyes set before it has them. Somebody has to notice. */
async function warn(store: Store, org: string): Promise<void> {
  const operator = await operatorAtOrganisation({ store }, { name: org });
  if (operator !== undefined && (await lacksFourEyes({ store }, operator)))
    note(
      'Two members must agree on a decision, but today no two can: they must be owner or reviewer, and neither may have invited, reset or ' +
        `given a role to the other within the last ${fourEyesDays} days. Until two can, reviews wait. npm run console:invite makes a link.`,
    );
  const untold = await untoldInLive(store, org);
  if (untold.length === 0) return;
  const names = untold
    .map(settingName)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');
  note(
    `Not set, although there is a live key: ${names}. End users have a right to know this before they consent.`,
  );
}

const noLogo = 'none';

/** Sets the logo from a file, or removes it. */
async function setLogo(store: Store, config: Config, org: string, file: string): Promise<void> {
  const upload = file === noLogo ? null : await read(file);
  const log = createLog({ level: config.logLevel, format: config.logFormat });
  const isolated = { isolation: await findIsolation(log), log, instruments: noInstruments };
  const decoder = createPictureDecoder(isolated);
  try {
    const fault = await changeLogo({ store, decoder }, await operatorAt(store, org), { upload });
    if (fault !== undefined) throw misused(usage, logoFaults[fault] ?? logoFaults.not_a_picture);
    print(upload === null ? 'logo: removed' : 'logo: changed');
  } finally {
    await decoder.close();
  }
}

const read = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw misused(usage, `The file of the logo cannot be read (${error.code}).`);
  });

const logoFaults: Partial<Record<PictureFault, string>> & { not_a_picture: string } = {
  not_a_picture: 'The logo must be a PNG, JPEG or WebP.',
  too_large: 'The logo has too many pixels.',
  too_small: 'The logo must be at least 32 by 16 pixels.',
};

const inWords = (value: OrganisationSettings[keyof OrganisationSettings]): string =>
  value === null ? '(not set)' : `${value}`;

type Options = { org: string; wanted: Wanted | undefined; json: boolean; logo: string | undefined };

function readOptions(): Options {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: {
        org: { type: 'string' },
        set: { type: 'string', multiple: true },
        logo: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    },
    usage,
  );
  const { org, set, json, logo } = values;
  if (
    org === undefined ||
    (logo !== undefined && (set !== undefined || json)) ||
    (set === undefined && positionals.length > 0)
  )
    throw misused(usage);
  const wanted = set === undefined ? undefined : Object.fromEntries([...set, ...positionals].map(parsed));
  return { org, wanted, json, logo };
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
