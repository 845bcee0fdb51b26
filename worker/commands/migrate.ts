import { Client } from '@temporalio/client';
import { taskQueues } from '#contract/workflows.ts';
import { readConfig } from '#platform/config/config.ts';
import { exitWith } from '#platform/process.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { prepareNamespace } from '#platform/temporal/namespace.ts';
import { runningWorkflows } from '#platform/temporal/running.ts';
import { migrate } from '#store/database/migrate.ts';
import { print } from './parts/command-line.ts';
import { serversOf } from './parts/servers.ts';

/** Updates the schema of the database and the namespace of Temporal. The command may be repeated at any time. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { ownerDatabaseUrl, temporalAddress } = serversOf(config);
  const done = await migrate(ownerDatabaseUrl);
  print(done.length === 0 ? 'The schema is up to date.' : `Migrated: ${done.join(', ')}`);
  if (temporalAddress === undefined) {
    return print('TEMPORAL_ADDRESS is not set: the namespace was not changed.');
  }
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const { namespace } = config.temporal;
  await prepareNamespace(connection, namespace);
  const ended = await runningWorkflows(new Client({ connection, namespace }), taskQueues).endUnencrypted();
  await connection.close();
  print(`Namespace ${namespace}: search attributes and at least 7 days of retention are set.`);
  if (ended > 0)
    print(`Ended workflows whose input was not encrypted: ${ended}. Their rows start them again.`);
}

await main().catch(exitWith);
