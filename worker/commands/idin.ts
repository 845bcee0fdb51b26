import { startBanks } from '#activities/eid/banks.ts';
import { certificateEnd, type IdinContract, isSimulated } from '#activities/eid/idin/contract.ts';
import type { Issuer } from '#activities/eid/port.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { StartFault } from '#platform/failures.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createLog } from '#platform/log.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { exitWith } from '#platform/process.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { changeContract } from '#services/eid/contracts.ts';
import { readOwnContract } from '#services/eid/own-contract.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { misused, print, readArguments } from './parts/command-line.ts';
import { readContract } from './parts/idin-contract.ts';
import { operatorAt } from './parts/one-organisation.ts';
import { secretsKeysOf, serversOf } from './parts/servers.ts';

const usage =
  'Usage: npm run --silent idin -- --org NAME [--contract FILE | --remove]\n' +
  'Shows the iDIN contract of an organisation, sets it from a file, or removes it. No key is ever printed.';

type Options = { org: string; file: string | undefined; remove: boolean };

/** Shows, sets or removes the iDIN contract of an organisation. */
async function main(): Promise<void> {
  const options = readOptions();
  const config = readConfig(process.env);
  const contract = options.file === undefined ? null : await readContract(options.file, usage);
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    if (contract !== null) await set(store, config, options.org, contract);
    else if (options.remove) await remove(store, config, options.org);
    else await show(store, options.org);
  } finally {
    await store.close();
  }
}

/** A contract is kept only if its acquirer answers, so that no person meets one that does not work. */
async function set(store: Store, config: Config, org: string, contract: IdinContract): Promise<void> {
  const text = JSON.stringify(contract);
  const issuers = await banksUnder(text, config);
  const tried = {
    ...{ text, issuers },
    certificateEndsAt: certificateEnd(contract),
    simulated: isSimulated(contract),
  };
  const secrets = createSecrets(secretsKeysOf(config));
  await changeContract({ store, secrets }, await operatorAt(store, org), { contract: tried });
  print(`Contract set. Banks: ${issuers.map(({ name }) => name).join(', ')}`);
}

async function banksUnder(contract: string, { webhookAllowAddresses }: Config): Promise<Issuer[]> {
  const log = createLog({ level: 'warn', format: 'pretty' });
  const banks = startBanks({
    ...{ isolation: await findIsolation(log), log, instruments: noInstruments },
    addresses: addressRules(webhookAllowAddresses),
    clock: systemClock,
  });
  try {
    const health = await banks.under(contract).health();
    if (health.works) return health.issuers;
    throw new StartFault(`The contract does not work, so nothing was changed: ${health.reason}`);
  } finally {
    await banks.close();
  }
}

async function remove(store: Store, config: Config, org: string): Promise<void> {
  const secrets = createSecrets(secretsKeysOf(config));
  await changeContract({ store, secrets }, await operatorAt(store, org), { contract: null });
  print('Contract removed.');
}

async function show(store: Store, org: string): Promise<void> {
  const found = await readOwnContract({ store }, await operatorAt(store, org));
  if (found === undefined) return print('No contract.');
  print(`Certificate: until ${found.certificateEndsAt.toISOString()}`);
  if (found.simulated) print('The other side is the simulator.');
  print(`Banks, as named at ${found.issuersAt.toISOString()}:`);
  for (const { id, name, country } of found.issuers) print(`${id.padEnd(11)}  ${name} (${country})`);
}

function readOptions(): Options {
  const option = { type: 'string' } as const;
  const options = { org: option, contract: option, remove: { type: 'boolean', default: false } } as const;
  const { org, contract: file, remove: removes } = readArguments({ options }, usage).values;
  if (org === undefined || (file !== undefined && removes)) throw misused(usage);
  return { org, file, remove: removes };
}

await main().catch(exitWith);
