import { resolve } from 'node:path';
import type { Config } from '#platform/config/config.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { createSigner, type Signer } from '#platform/crypto/ed25519.ts';
import { type RootFiles, rootFiles } from '#platform/crypto/root-files.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { findKey, ledgerDirIn } from '../../standalone/key-file.ts';
import { readRunFile } from '../../standalone/run-file.ts';

type Servers = { databaseUrl: string; ownerDatabaseUrl: string; temporalAddress: string | undefined };

/**
 * Returns the servers of the configuration. If a server is not configured, returns the server that `npm start` runs on DATA_DIR.
 */
export function serversOf(config: Config): Servers {
  const running = readRunFile(resolve(config.dataDir));
  const databaseUrl = config.databaseUrl ?? running?.database_url;
  const ownerDatabaseUrl = config.ownerDatabaseUrl ?? config.databaseUrl ?? running?.owner_database_url;
  if (databaseUrl === undefined || ownerDatabaseUrl === undefined)
    throw new StartFault(
      'DATABASE_URL is not set, and no `npm start` runs on this DATA_DIR. Start it first: npm start',
    );
  const temporalAddress = config.temporal.address ?? running?.temporal_address;
  return { databaseUrl, ownerDatabaseUrl, temporalAddress };
}

/** Where members find the console. If CONSOLE_URL is not set, that of the `npm start` that runs on DATA_DIR. */
export function consoleUrlOf(config: Config): string {
  const running = process.env.CONSOLE_URL ? undefined : readRunFile(resolve(config.dataDir))?.console_url;
  const url = running ?? config.console?.url;
  if (url === undefined || url === null)
    throw new StartFault('There is no console: CONSOLE_PORT is off.', exitCodes.config);
  return url;
}

/** Where end users find the hosted page. If PUBLIC_URL is not set, that of the `npm start` that runs on DATA_DIR. */
export function publicUrlOf(config: Config): string {
  const running = process.env.PUBLIC_URL ? undefined : readRunFile(resolve(config.dataDir))?.public_url;
  return running ?? config.publicUrl;
}

/** Connects to Temporal at the first call. `need` tells the operator why the command needs Temporal. */
export async function temporalOf(config: Config, need: string) {
  const { temporalAddress } = serversOf(config);
  if (temporalAddress === undefined)
    throw new StartFault(`TEMPORAL_ADDRESS is not set: ${need}`, exitCodes.config);
  const connection = await lazyConnection(config.temporal, temporalAddress);
  const secrets = createSecrets(secretsKeysOf(config));
  const temporal = createTemporalClient(connection, { namespace: config.temporal.namespace, secrets });
  return { temporal, secrets, close: () => connection.close() };
}

/**
 * Returns the keys of SECRETS_KEY. If neither SECRETS_KEY nor DATABASE_URL is set, returns the key that `npm start` created in
 * DATA_DIR.
 */
export function secretsKeysOf(config: Config): readonly Buffer[] {
  if (config.secretsKeys !== undefined) return config.secretsKeys;
  const made = config.databaseUrl === undefined ? findKey(resolve(config.dataDir), 'secrets-key') : undefined;
  if (made !== undefined) return [made];
  throw new StartFault('SECRETS_KEY is not set: give the keys that the product runs with.', exitCodes.config);
}

/**
 * Returns the folder of the signed roots of the ledger, and the key that signs them. If nothing is configured, returns those of `npm
 * start` in DATA_DIR. Returns undefined if there are none.
 */
export function signedLedgerOf({ ledger, databaseUrl, dataDir }: Config): SignedLedger | undefined {
  if (ledger !== undefined) return signedLedgerIn(ledger.dir, ledger.keys);
  const folder = resolve(dataDir);
  const key = databaseUrl === undefined ? findKey(folder, 'ledger-key') : undefined;
  return key && signedLedgerIn(ledgerDirIn(folder), [key]);
}

export type SignedLedger = { roots: RootFiles; signer: Signer };

function signedLedgerIn(folder: string, keys: readonly Buffer[]): SignedLedger {
  const signer = createSigner(keys);
  return { roots: rootFiles(folder, signer), signer };
}

export const rootsOf = (config: Config): RootFiles | undefined => signedLedgerOf(config)?.roots;
