import { accessSync, constants, mkdirSync } from 'node:fs';
import type { LedgerConfig } from '#platform/config/config.ts';
import { createSigner } from '#platform/crypto/ed25519.ts';
import { type RootFiles, rootFiles } from '#platform/crypto/root-files.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';

/** The folder of the signed roots. Throws a StartFault if it cannot be written. Warns if no roots are signed. */
export function openRoots(ledger: LedgerConfig | undefined, log: Pick<Log, 'warn'>): RootFiles | undefined {
  if (ledger === undefined) {
    log.warn(
      'LEDGER_KEY and LEDGER_DIR are not set: nobody signs the ends of the ledger, so a cut may go unnoticed',
    );
    return undefined;
  }
  try {
    mkdirSync(ledger.dir, { recursive: true });
    accessSync(ledger.dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new StartFault(
      'LEDGER_DIR cannot be written by this user: change its owner, or choose another.',
      exitCodes.cannotCreate,
    );
  }
  return rootFiles(ledger.dir, createSigner(ledger.keys));
}
