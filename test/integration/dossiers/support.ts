import { execFile } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import type { EvidenceKind, PictureSource } from '#contract/enums.ts';
import { createSigner, type Signer } from '#platform/crypto/ed25519.ts';
import { rootFiles } from '#platform/crypto/root-files.ts';
import type { Dossier } from '#services/dossiers/dossier.ts';
import { signLedger } from '#services/ledger/roots.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, type Harness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { untilMasked } from '#test/support/rows/masked.ts';

/** Reads nothing, and says that a person has to look. */
export const doubtful: DocumentReader = {
  check: async () => ({
    read: null,
    checks: [
      { kind: 'document_integrity', result: 'not_applicable', confidence: 0 },
      { kind: 'document_expiry', result: 'passed', confidence: 0.99 },
      { kind: 'mrz_check_digits', result: 'passed', confidence: 0.99 },
      { kind: 'data_consistency', result: 'doubt', confidence: 0.45 },
    ],
  }),
  close: async () => undefined,
};

export const eventually = { timeout: 30_000, interval: 100 };

const ledgerKey = Buffer.alloc(32, 21);
export const signer = createSigner([ledgerKey]);
export const otherSigner = createSigner([Buffer.alloc(32, 22)]);
export const publicKey = createPublicKey(signer.publicKey);

const root = join(import.meta.dirname, '../../..');

/** A folder for the signed roots, the commands, and a person who completes a live verification. */
export async function startOffice(harness: Harness) {
  const folder = await mkdtemp(join(tmpdir(), 'dossiers-'));
  atTheEnd(() => rm(folder, { recursive: true }));
  const keyFile = join(folder, 'key.pem');
  await writeFile(keyFile, signer.publicKey);

  // Not synchronous, because a server that cannot answer meanwhile would lose its connections.
  const runWith = (env: NodeJS.ProcessEnv, file: string, ...args: string[]) =>
    new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
      const given = {
        ...{ DATABASE_URL: harness.roleUrls.app, LEDGER_DIR: folder },
        LEDGER_KEY: ledgerKey.toString('base64'),
      };
      execFile(
        process.execPath,
        [join(root, 'worker/commands', file), ...args],
        { env: { ...process.env, ...given, ...env } },
        (error, stdout, stderr) => resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const run = (file: string, ...args: string[]) => runWith({}, file, ...args);

  return {
    folder,
    keyFile,
    run,
    runWith,
    /** Signs the ends of all chains. */
    sign: (day: string, by: Signer = signer) =>
      signLedger(
        { store: harness.store, clock: { ...harness.ctx.clock, now: () => new Date(`${day}T03:00:00Z`) } },
        rootFiles(folder, by),
      ),
    async made(id: string): Promise<Dossier> {
      const { status, stdout, stderr } = await run('dossier.ts', id);
      expect({ status, stderr }).toMatchObject({ status: 0 });
      return JSON.parse(stdout);
    },
    /** Checks this text with the command. */
    async verify(text: string | Buffer, ...keys: string[]) {
      const file = join(folder, 'dossier.json');
      await writeFile(file, text);
      const given = (keys.length > 0 ? keys : [keyFile]).flatMap((key) => ['--key', key]);
      const { status, stdout } = await run('verify-dossier.mjs', file, ...given);
      return { status, stdout };
    },
  };
}

/** A person walks through the live flow, until the verdict is there. Returns the id. */
export async function walkedThrough(
  harness: Harness,
  key: string,
  {
    reference = 'order 7',
    kinds = ['passport_page'] as EvidenceKind[],
    sources = {} as Partial<Record<EvidenceKind, PictureSource>>,
  } = {},
): Promise<string> {
  const body = { method: 'document_only', reference };
  const { id, verify_url } = (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
  const user = person(harness, verify_url);
  await user.start();
  for (const kind of kinds) await user.upload(kind, await anyPicture(), 'picture.jpg', sources[kind]);
  await user.submit();
  await vi.waitFor(async () => {
    expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status).toBe('completed');
  }, eventually);
  await untilMasked(harness.rows, id);
  return id;
}
