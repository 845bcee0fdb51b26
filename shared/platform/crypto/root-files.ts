import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { newUuid, sha256Hex } from './crypto.ts';
import type { Signer } from './ed25519.ts';
import { createMerkleTree } from './merkle.ts';

/** The last line of a chain. */
export type Head = { subjectId: string; sequence: number; hash: Buffer };

const hex256 = z.string().regex(/^[\da-f]{64}$/);
const StatementSchema = z.object({
  /** The day (UTC), such as 2026-11-22. */
  day: z.iso.date(),
  at: z.iso.datetime(),
  /** The number of chains. */
  chains: z.int().nonnegative(),
  /** The fingerprint of the public key. Its PEM is in the file `FINGERPRINT.pem`. */
  key: z.string(),
  /** The root of the Merkle tree (RFC 6962, SHA-256) over the lines of the file with the heads. */
  merkle_root: hex256,
  /** SHA-256 of the statement of the day before, so that no statement can be taken away. Null for the first one. */
  previous: hex256.nullable(),
  /**
   * The number of chains that no longer held what the day before had signed. Null for the first day, and if the heads of the day
   * before were lost.
   */
  broken_chains: z.int().nonnegative().nullable(),
  /** The subjects of the first of these chains. */
  broken: z.array(z.uuid()),
});
/** What is signed about all chains, once a day. */
export type Statement = z.output<typeof StatementSchema>;

/**
 * A statement whose signature fits. `text` is what was signed, byte for byte. `digest` is the SHA-256 of these bytes, which the next
 * statement names.
 */
export type SignedStatement = { statement: Statement; digest: string; text: string; signature: Buffer };

/** The folder in which the signed roots are kept. */
export type RootFiles = ReturnType<typeof rootFiles>;

/** Writes the public half of the key, and returns its file. An auditor needs it before the first statement is signed, too. */
async function writeKeyIn(
  folder: string,
  { fingerprint, publicKey }: Signer,
  write: (file: string, content: string) => Promise<void>,
): Promise<string> {
  const file = join(folder, `${fingerprint}.pem`);
  await write(file, publicKey);
  return file;
}

/**
 * Each day has three files. `DAY.heads` has a line for each chain: its subject, the number of its last line, and the hash of that line.
 * `DAY.json` is the statement about them. `DAY.sig` is the Ed25519 signature of exactly the bytes of `DAY.json`. It is written last.
 * The heads of earlier days are removed, because each chain is still in the newest. The folder `erased` has a file for each erased
 * verification, named by its id, so that a restored database does not bring a person back.
 */
export function rootFiles(folder: string, signer: Signer) {
  const path = (day: string, ending: 'heads' | 'json' | 'sig') => join(folder, `${day}.${ending}`);

  const { daysWith, draftOf, write, removeOld } = filesIn(folder);

  const writeKey = () => writeKeyIn(folder, signer, write);

  return {
    /** Signs the statements, and the dossiers. */
    signer,

    ...erasureNotes(join(folder, 'erased')),

    /** The signed days, the oldest first. */
    days: () => daysWith('.sig'),

    /** Returns undefined if the signature of the day does not fit, or if a file is missing. */
    async statement(day: string): Promise<SignedStatement | undefined> {
      const [bytes, signature] = await Promise.all(
        (['json', 'sig'] as const).map((ending) => readFile(path(day, ending)).catch(unlessMissing)),
      );
      if (!bytes || !signature || !signer.verify(bytes, signature)) return undefined;
      const text = bytes.toString('utf8');
      const statement = StatementSchema.parse(JSON.parse(text));
      const digest = sha256Hex(bytes);
      return statement.day === day ? { statement, digest, text, signature } : undefined;
    },

    /** Yields the heads after this subject, in the order of the subjects. Throws if a line of the file is no head. */
    async *heads(day: string, afterSubjectId = ''): AsyncGenerator<Head> {
      const handle = await open(path(day, 'heads'));
      for await (const line of handle.readLines()) {
        const head = headIn(line);
        if (head.subjectId > afterSubjectId) yield head;
      }
    },

    /** Writes the heads, and returns their number and the root of their tree. */
    async writeHeads(day: string, heads: AsyncIterable<readonly Head[]>) {
      const tree = createMerkleTree();
      const file = path(day, 'heads');
      const draft = draftOf(file);
      const handle = await open(draft, 'w');
      try {
        for await (const batch of heads) {
          const lines = batch.map(lineOf);
          for (const line of lines) tree.add(line);
          await handle.writeFile(lines.map((line) => `${line}\n`).join(''));
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
      return { chains: tree.leaves(), merkleRoot: tree.root().toString('hex') };
    },

    writeKey,

    /** Signs the statement, and removes what is no longer needed. */
    async sign(unsigned: Omit<Statement, 'key'>): Promise<Statement> {
      const statement = { ...unsigned, key: signer.fingerprint };
      const bytes = Buffer.from(`${JSON.stringify(statement, null, 2)}\n`);
      await writeKey();
      await write(path(statement.day, 'json'), bytes);
      await write(path(statement.day, 'sig'), signer.sign(bytes));
      await removeOld(statement.day);
      return statement;
    },
  };
}

/** The notes of erasures. */
const erasureNotes = (folder: string) => ({
  /** Notes that a verification was erased. Does nothing if it is noted already. */
  async noteErasure(verificationId: string, at: Date): Promise<void> {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, verificationId), `${at.toISOString()}\n`, {
      flag: 'wx',
      flush: true,
    }).catch(unlessThere);
  },

  /** The verifications that were noted as erased. */
  async erasures(): Promise<string[]> {
    const names = (await readdir(folder).catch(unlessMissing)) ?? [];
    return names.filter((name) => uuidFormat.test(name)).sort();
  },
});

/** What all files of the folder have in common. */
function filesIn(folder: string) {
  const daysWith = async (ending: string) =>
    (await readdir(folder))
      .filter((name) => name.endsWith(ending) && dayFormat.test(name.slice(0, -ending.length)))
      .map((name) => name.slice(0, -ending.length))
      .sort();

  const draftOf = (file: string) => `${file}.${newUuid()}${draftEnding}`;

  /** Writes the whole file or nothing. */
  const write = async (file: string, content: string | Buffer) => {
    const draft = draftOf(file);
    await writeFile(draft, content, { flush: true });
    await rename(draft, file);
  };

  /** Removes the heads of earlier days, and what an interrupted run has left. */
  const removeOld = async (today: string) => {
    const drafts = (await readdir(folder)).filter((name) => name.endsWith(draftEnding));
    const oldHeads = (await daysWith('.heads')).filter((day) => day < today).map((day) => `${day}.heads`);
    for (const name of [...drafts, ...oldHeads]) await rm(join(folder, name), { force: true });
  };

  return { daysWith, draftOf, write, removeOld };
}

const draftEnding = '.new';
const dayFormat = /^\d{4}-\d\d-\d\d$/;

/** The line of a head in its file, which is also its leaf in the tree. */
export const lineOf = ({ subjectId, sequence, hash }: Head): string =>
  `${subjectId} ${sequence} ${hash.toString('hex')}`;

const headFormat = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}) ([1-9]\d{0,8}) ([\da-f]{64})$/;

function headIn(line: string): Head {
  const [, subjectId, sequence, hash] = headFormat.exec(line) ?? [];
  if (!subjectId || !sequence || !hash) throw new Error('a line is no head of a chain');
  return { subjectId, sequence: Number(sequence), hash: Buffer.from(hash, 'hex') };
}

const uuidFormat = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
