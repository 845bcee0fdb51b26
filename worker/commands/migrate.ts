import { readConfig } from '#platform/config.ts';
import { exitWith } from '#platform/process.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { prepareNamespace } from '#platform/temporal-namespace.ts';
import { migrate } from '#store/orm.ts';
import { serversOf } from './servers.ts';

/** Brings the database's schema and Temporal's namespace up to date; harmless when they are. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { databaseUrl, temporalAddress } = serversOf(config);
  const done = await migrate(databaseUrl);
  process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${done.join(', ')}\n`);
  if (temporalAddress === undefined) {
    process.stdout.write('TEMPORAL_ADDRESS is not set: the namespace was left alone.\n');
    return;
  }
  const connection = await lazyConnection(config.temporal, temporalAddress);
  await prepareNamespace(connection, config.temporal.namespace);
  await connection.close();
  process.stdout.write(
    `Namespace ${config.temporal.namespace}: search attributes and 7 days of retention are set.\n`,
  );
}

await main().catch(exitWith);
