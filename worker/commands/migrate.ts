import { readConfig } from '#platform/config.ts';
import { exitWith } from '#platform/process.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { prepareNamespace } from '#platform/temporal-namespace.ts';
import { migrate } from '#store/migrate.ts';
import { print } from './command-line.ts';
import { serversOf } from './servers.ts';

/** Updates the schema of the database and the namespace of Temporal. The command may be repeated at any time. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { databaseUrl, temporalAddress } = serversOf(config);
  const done = await migrate(databaseUrl);
  print(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
  if (temporalAddress === undefined) {
    return print('TEMPORAL_ADDRESS is not set: the namespace was not changed.');
  }
  const connection = await lazyConnection(config.temporal, temporalAddress);
  await prepareNamespace(connection, config.temporal.namespace);
  await connection.close();
  print(`Namespace ${config.temporal.namespace}: search attributes and 7 days of retention are set.`);
}

await main().catch(exitWith);
