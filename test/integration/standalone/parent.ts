import { StartFault } from '#platform/failures.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { findTemporal, startTemporal } from '#worker/standalone/temporal/temporal.ts';

/** `parent.ts DATA_DIR [temporal]` starts servers as `npm start` does, prints one JSON line and waits until it is killed. */

const [dataDir = '', withTemporal] = process.argv.slice(2);
const say = () => {};

async function start() {
  const postgres = await startPostgres({ dataDir, durable: true, say });
  if (withTemporal === undefined) return { postgres: { url: postgres.url, pid: postgres.pid } };
  const temporal = await startTemporal({
    binary: await findTemporal({ cacheDir: defaultCacheDir(process.env), say }),
    dbFile: `${dataDir}/temporal.db`,
    uiPort: null,
    logFile: `${dataDir}/temporal.log`,
    searchAttributes: { OrgId: 'Keyword' },
    say,
  });
  return {
    postgres: { url: postgres.url, pid: postgres.pid },
    temporal: { address: temporal.address, pid: temporal.pid },
  };
}

try {
  console.log(JSON.stringify(await start()));
} catch (error) {
  if (!(error instanceof StartFault)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}
