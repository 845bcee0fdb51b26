import { writeFile } from 'node:fs/promises';
import { readConfig } from '#platform/config/config.ts';
import type { Signer } from '#platform/crypto/ed25519.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { exitWith } from '#platform/process.ts';
import type { Dossier } from '#services/dossiers/dossier.ts';
import { fileOf } from '#services/dossiers/file.ts';
import { type DossierFileFormat, type DossierRefusal, makeDossier } from '#services/dossiers/make.ts';
import { dossierText } from '#services/dossiers/sign.ts';
import { HeadsChanged } from '#services/ledger/roots.ts';
import { openStore } from '#store/database/connection.ts';
import { misused, note, readArguments } from './parts/command-line.ts';
import { type SignedLedger, serversOf, signedLedgerOf } from './parts/servers.ts';
import { checkDossier } from './verify-dossier.mjs';

const usage = 'Usage: npm run --silent dossier -- ID|DOSSIER_REF [--format json|pdf] [--out FILE]';

/**
 * Writes the dossier of a verification to FILE or to standard output, and checks it. The exit code is 1 if the check finds something
 * broken: then somebody edited the database. Such a dossier is written all the same, because it shows what is broken.
 */
async function main(): Promise<number> {
  const { wanted, format, out } = readOptions();
  const config = readConfig(process.env);
  const ledger = signedLedgerOf(config);
  if (ledger === undefined)
    throw new StartFault(
      'LEDGER_KEY and LEDGER_DIR are not set: a dossier is signed with the key of the ledger.',
      exitCodes.config,
    );
  const store = await openStore(serversOf(config).databaseUrl, 1);
  try {
    const made = await makeDossier({ store, ...ledger }, { wanted, format }).catch(unlessHeadsChanged);
    if ('refused' in made) throw new StartFault(refusalInWords(made), exitCodes.unavailable);
    await write(await fileOf(made, format), out);
    return await tellWhatHolds(made, ledger);
  } finally {
    await store.close();
  }
}

type Options = { wanted: string; format: DossierFileFormat; out: string | undefined };

function readOptions(): Options {
  const { values, positionals } = readArguments(
    {
      allowPositionals: true,
      options: { format: { type: 'string', default: 'json' }, out: { type: 'string' } },
    },
    usage,
  );
  const [wanted, ...more] = positionals;
  const { format, out } = values;
  if (wanted === undefined || more.length > 0) throw misused(usage, 'Give the id of one verification.');
  if (format !== 'json' && format !== 'pdf') throw misused(usage, '--format is json or pdf.');
  if (format === 'pdf' && out === undefined && process.stdout.isTTY)
    throw misused(usage, 'Give --out for a PDF.');
  return { wanted, format, out };
}

const refusalInWords = (refusal: DossierRefusal): string =>
  refusal.refused === 'unknown'
    ? 'There is no verification with this id or dossier_ref.'
    : `This verification was removed on ${refusal.at.toISOString()}, because its retention was over. There is no dossier of it any more.`;

function unlessHeadsChanged(error: unknown): never {
  if (!(error instanceof HeadsChanged)) throw error;
  throw new StartFault(
    `The signed ends of ${error.day} are not those that were signed, or the file is lost: npm run --silent inspect -- --only history`,
  );
}

/** A dossier can hold a partner's reference, so only the operator may read the file. */
async function write(bytes: Buffer, out: string | undefined): Promise<void> {
  if (out === undefined) return void process.stdout.write(bytes);
  await writeFile(out, bytes, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new StartFault(`The file cannot be written (${error.code}).`, exitCodes.cannotCreate);
  });
}

/** Checks the dossier with the program that an auditor uses. Returns the exit code. */
async function tellWhatHolds(dossier: Dossier, { signer, roots }: SignedLedger): Promise<number> {
  const bytes = Buffer.from(dossierText(dossier));
  const { faults, lines, anchored, day } = checkDossier(bytes, signer.publicKeys);
  for (const fault of faults) note(`BROKEN at ${fault}`);
  if (faults.length > 0) return 1;
  const { dossier_ref: ref } = dossier.header;
  const vouched =
    day === null ? 'not anchored yet' : `the signed root of ${day} vouches for lines 1 to ${anchored}`;
  note(`${ref}: ${lines} lines; ${vouched}. Public key: ${await whereKeyIs(roots, signer)}`);
  return 0;
}

/** The file with the public key, or the key itself if LEDGER_DIR is missing or cannot be written by this user. */
const whereKeyIs = (roots: RootFiles, { publicKey }: Signer): Promise<string> =>
  roots.writeKey().catch(() => publicKey.split('\n').slice(1, -2).join(''));

await main().then((code) => {
  process.exitCode = code;
}, exitWith);
