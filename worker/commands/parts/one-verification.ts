import { z } from 'zod';
import { Problem } from '#contract/errors.ts';
import { type Config, readConfig } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { openStore, type Store } from '#store/database/connection.ts';
import { misused, readArguments } from './command-line.ts';
import { serversOf } from './servers.ts';

const statementTimeoutMs = 60_000;

/** Runs a command about the verification whose id is its only argument. */
export async function withVerification(
  usage: string,
  act: (store: Store, id: string, config: Config) => Promise<void>,
): Promise<void> {
  const { positionals } = readArguments({ options: {}, allowPositionals: true }, usage);
  const [id, ...others] = positionals;
  if (others.length > 0 || !z.uuid().safeParse(id).success)
    throw misused(usage, 'Give the id of one verification.');
  const config = readConfig(process.env);
  const store = await openStore(serversOf(config).databaseUrl, 1, { statementTimeoutMs });
  try {
    await act(store, String(id), config);
  } catch (error) {
    throw error instanceof Problem ? new StartFault(error.message, exitCodes.unavailable) : error;
  } finally {
    await store.close();
  }
}
