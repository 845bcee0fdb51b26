import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RootFiles, rootFiles } from '#platform/crypto/root-files.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { checkDossier } from '#worker/commands/verify-dossier.mjs';
import { atTheEnd } from '../at-the-end.ts';
import type { Harness } from '../harness.ts';
import { ledgerSigner } from './dossier.ts';

/** A folder for signed roots, so that dossiers can be made. */
export async function newRoots(): Promise<RootFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'roots-'));
  atTheEnd(() => rm(folder, { recursive: true }));
  return rootFiles(folder, ledgerSigner);
}

/** Signs the ends of all chains, as it happens once a day. */
export const signedToday = ({ ctx }: Pick<Harness, 'ctx'>, roots: RootFiles) => signLedger(ctx, roots);

/** What an auditor finds with the public key alone. */
export const checkedDossier = (file: Buffer) => checkDossier(file, [createPublicKey(ledgerSigner.publicKey)]);
