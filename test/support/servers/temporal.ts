import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { prepareNamespace } from '#platform/temporal/namespace.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { cliSearchAttributes } from '#worker/standalone/temporal/search-attributes.ts';
import { findTemporal, startTemporal } from '#worker/standalone/temporal/temporal.ts';

type Options = { say?: (line: string) => void; dbFile?: string };

/**
 * Starts a Temporal server and prepares its namespace as `npm run migrate` does. It keeps its data in memory, or in the file. Its log
 * is in this folder.
 */
export async function startTestTemporal(folder: string, { say = () => undefined, dbFile }: Options = {}) {
  const temporal = await startTemporal({
    binary: await findTemporal({ cacheDir: defaultCacheDir(process.env), say }),
    dbFile: dbFile ?? null,
    uiPort: null,
    logFile: join(folder, 'temporal.log'),
    searchAttributes: cliSearchAttributes,
    say,
  });
  const connection = await Connection.connect({ address: temporal.address });
  await prepareNamespace(connection, 'default');
  await connection.close();
  return temporal;
}
