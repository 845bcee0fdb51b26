import { resolve } from 'node:path';
import type { Config } from '#platform/config.ts';
import { StartFault } from '#platform/failures.ts';
import { readRunFile } from '../standalone/run-file.ts';

/** The servers a command works on: those that are configured, else those that `npm start` runs on DATA_DIR. */
export function serversOf(config: Config): { databaseUrl: string; temporalAddress: string | undefined } {
  const running = readRunFile(resolve(config.dataDir));
  const databaseUrl = config.databaseUrl ?? running?.database_url;
  if (databaseUrl === undefined)
    throw new StartFault('Nothing runs here and DATABASE_URL is not set. Start it first: npm start');
  return { databaseUrl, temporalAddress: config.temporal.address ?? running?.temporal_address };
}
