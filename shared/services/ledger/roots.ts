import type { LedgerSigned } from '#contract/workflows.ts';
import { createMerkleTree, type LeafProof } from '#platform/crypto/merkle.ts';
import {
  type Head,
  lineOf,
  type RootFiles,
  type SignedStatement,
  type Statement,
} from '#platform/crypto/root-files.ts';
import type { Db } from '#store/database/connection.ts';
import { headsOfAnyOrganisation, keptLinesOfAnyOrganisation } from '#store/ledger.ts';
import type { Context } from '../context.ts';
import { firstId, inBatches } from '../portions/in-batches.ts';
import { isRemoval } from './removal.ts';

const headsAtOnce = 2_000;
/** The most broken chains that a statement names. It always counts all of them. */
const namedMax = 1_000;

/**
 * Signs the ends of all chains, once a day (UTC). So a later look can tell which chain was cut or removed (`chainsNotKept`). The statement
 * also names the chains that no longer hold what was signed the day before. So nobody can hide a cut until the next day.
 */
export async function signLedger(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  files: RootFiles,
): Promise<LedgerSigned> {
  const at = clock.now().toISOString();
  const day = at.slice(0, 'yyyy-mm-dd'.length);
  const before = await newestStatement(files);
  if (before !== undefined && before.statement.day >= day) return resultOf(before.statement);
  const { chains, merkleRoot } = await files.writeHeads(day, ledgerHeads(store.db));
  // A cut after the first reading of the ledger is found by this second one.
  const broken = before && (await brokenSince(store.db, files, before));
  if (!(await holdsItsHeads(files, { day, merkle_root: merkleRoot })))
    throw new Error('another process wrote the heads of this day at the same time');
  const statement = await files.sign({
    ...{ day, at, chains, merkle_root: merkleRoot, previous: before?.digest ?? null },
    ...{ broken_chains: broken?.length ?? null, broken: broken?.slice(0, namedMax) ?? [] },
  });
  return resultOf(statement);
}

const resultOf = ({ day, chains, broken_chains: broken }: Statement): LedgerSigned => ({
  day,
  chains,
  broken,
});

/** Returns the subjects whose chains no longer hold. Returns undefined if the heads are not those that were signed. */
async function brokenSince(
  db: Db,
  files: RootFiles,
  { statement }: SignedStatement,
): Promise<string[] | undefined> {
  if (!(await holdsItsHeads(files, statement))) return undefined;
  const broken: string[] = [];
  for await (const { lost } of chainsNotKept(db, files.heads(statement.day))) broken.push(...lost);
  return broken;
}

const ledgerHeads = (db: Db) =>
  inBatches(
    firstId,
    headsAtOnce,
    (after, limit) => headsOfAnyOrganisation(db, after, limit),
    ({ subjectId }) => subjectId,
  );

/** The newest statement whose signature fits. */
export async function newestStatement(files: RootFiles): Promise<SignedStatement | undefined> {
  for (const day of (await files.days()).reverse()) {
    const signed = await files.statement(day);
    if (signed !== undefined) return signed;
  }
  return undefined;
}

/** The statements that note broken chains, the oldest first. */
export async function brokenStatements(files: RootFiles): Promise<Statement[]> {
  const found: Statement[] = [];
  for (const day of await files.days()) {
    const statement = (await files.statement(day))?.statement;
    if (statement?.broken_chains) found.push(statement);
  }
  return found;
}

/** Yields, batch by batch, the subjects whose chains no longer have the line that they ended with. */
export async function* chainsNotKept(
  db: Db,
  heads: AsyncIterable<Head>,
): AsyncGenerator<{ lost: string[]; rows: number; last: string }> {
  for await (const batch of batchesOf(heads)) {
    const found = await keptLinesOfAnyOrganisation(db, batch);
    const kept = new Set(
      found.filter((line) => !line.isRemoved || isRemoval(line)).map(({ subjectId }) => subjectId),
    );
    const lost = batch.flatMap(({ subjectId }) => (kept.has(subjectId) ? [] : [subjectId]));
    yield { lost, rows: batch.length, last: batch.at(-1)?.subjectId ?? firstId };
  }
}

async function* batchesOf(heads: AsyncIterable<Head>): AsyncGenerator<Head[]> {
  let batch: Head[] = [];
  for await (const head of heads) {
    batch.push(head);
    if (batch.length < headsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What is wrong with the files of a day. */
export type RootFault = 'signature_does_not_fit' | 'statement_removed' | 'not_compared' | 'heads_changed';

/** Checks every signature, and that each statement follows the one before. Then compares the newest heads with their root. */
export async function checkRoots(
  files: RootFiles,
  tell: (fault: RootFault, day: string) => void,
): Promise<void> {
  let before: SignedStatement | undefined;
  for (const [place, day] of (await files.days()).entries()) {
    const signed = await files.statement(day);
    if (signed === undefined) tell('signature_does_not_fit', day);
    else if (!followsOn(signed.statement, place, before)) tell('statement_removed', day);
    else if (place > 0 && signed.statement.broken_chains === null) tell('not_compared', day);
    before = signed;
  }
  if (before !== undefined && !(await holdsItsHeads(files, before.statement)))
    tell('heads_changed', before.statement.day);
}

/** The first statement has none before it. What follows a statement that does not hold cannot be judged. */
const followsOn = ({ previous }: Statement, place: number, before: SignedStatement | undefined): boolean =>
  place === 0 ? previous === null : before === undefined || previous === before.digest;

/** What the newest statement signed about one chain: its last line at that time, and the proof that this line is under the root. */
export type Anchor = SignedStatement & { head: Head; proof: LeafProof };

/**
 * Returns undefined if nothing was signed yet, or if the chain began after the newest statement. Reads the whole file of the heads.
 * Throws `HeadsChanged` if these are not the heads that were signed.
 */
export async function anchorOf(files: RootFiles, subjectId: string): Promise<Anchor | undefined> {
  const newest = await newestStatement(files);
  if (newest === undefined) return undefined;
  const { day, merkle_root: root } = newest.statement;
  const tree = createMerkleTree();
  let head: Head | undefined;
  try {
    for await (const each of files.heads(day)) {
      const isWanted = each.subjectId === subjectId;
      if (isWanted) head = each;
      tree.add(lineOf(each), isWanted);
    }
  } catch (cause) {
    throw new HeadsChanged(day, { cause });
  }
  if (tree.root().toString('hex') !== root) throw new HeadsChanged(day);
  const proof = tree.proof();
  return head && proof && { ...newest, head, proof };
}

/** The file with the heads of a day is missing, or it is not what was signed. */
export class HeadsChanged extends Error {
  readonly day: string;

  constructor(day: string, options?: ErrorOptions) {
    super(`the heads of ${day} are not those that were signed`, options);
    this.name = 'HeadsChanged';
    this.day = day;
  }
}

/** True if the heads of the day are those that were signed. */
export async function holdsItsHeads(
  files: RootFiles,
  { day, merkle_root: root }: Pick<Statement, 'day' | 'merkle_root'>,
): Promise<boolean> {
  const tree = createMerkleTree();
  try {
    for await (const head of files.heads(day)) tree.add(lineOf(head));
  } catch {
    // The file is missing, or one of its lines is no head.
    return false;
  }
  return tree.root().toString('hex') === root;
}
