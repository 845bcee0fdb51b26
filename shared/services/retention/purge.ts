import type { Environment } from '#contract/enums.ts';
import type { Expiring, PurgedBatch, PurgeExpired } from '#contract/workflows.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db, Store } from '#store/database/connection.ts';
import { scopeOfHousekeeping } from '#store/database/scope.ts';
import { timeOf, writeAtOnce } from '#store/database/statements.ts';
import { deleteVerifications, heldBack, type Removed } from '#store/keeping/removals.ts';
import {
  type Batch,
  deleteEvidence,
  expired,
  lockVerifications,
  purge,
  recordPurge,
} from '#store/keeping/retention.ts';
import { ledgerOf } from '#store/ledger.ts';
import type { Context } from '../context.ts';
import { type Entry, nextLine } from '../ledger/append.ts';

/** Purges one batch of expired rows in one transaction (decision 21). The next call purges the next batch. */
export async function purgeExpired(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { what, rowsMax }: PurgeExpired,
): Promise<PurgedBatch> {
  const before = keptSince(what, clock.now());
  const rows = await purgeBatch(store, what, { before, rowsMax });
  if (rows === rowsMax) return { rows };
  await recordPurge(store.db, what);
  const held = isRemoved(what) ? await heldBack(store.db, what, before, heldMax) : [];
  return { rows, ...(held.length > 0 && { held }) };
}

/** The most verifications that are named because their row and their chain differ. */
const heldMax = 1_000;

const isRemoved = (what: Expiring): what is Removed =>
  what === 'abandoned_verifications' || what === 'completed_verifications';

function purgeBatch(store: Store, what: Expiring, batch: Batch): Promise<number> {
  if (what === 'evidence') return purgeEvidence(store, batch);
  return isRemoved(what) ? removeVerifications(store, what, batch) : purge[what](store, batch);
}

/** Deletes pictures, and notes in the ledger which ones. */
const purgeEvidence = (store: Store, batch: Batch): Promise<number> =>
  store.transaction(async (tx) => {
    const old = await expired.evidence(tx, batch).execute();
    if (old.length === 0) return 0;
    const pictures = Map.groupBy(
      old.filter(({ hasPicture }) => hasPicture),
      ({ verificationId }) => verificationId,
    );
    if (pictures.size > 0) await lockVerifications(tx, [...pictures.keys()]);
    const at = await timeOf(tx);
    for (const [id, [first, ...others]] of pictures)
      if (first !== undefined)
        await note(tx, { ...first, id }, 'evidence.purged', at, {
          kinds: [first, ...others].map(({ kind }) => kind).sort(),
        });
    await deleteEvidence(tx, old);
    return old.length;
  });

/**
 * Removes verifications with their chains. A line stays, which follows the last line of the chain and has the hashes of all. So whoever
 * has a signed end of the chain can tell that it was removed and not cut, also if the chain had grown since.
 */
const removeVerifications = (store: Store, what: Removed, batch: Batch): Promise<number> =>
  store.transaction(async (tx) => {
    const old = await expired[what](tx, batch).execute();
    if (old.length === 0) return 0;
    const at = await timeOf(tx);
    for (const verification of old) {
      const lines = await ledgerOf(scopeOfHousekeeping(verification), tx).lines(verification.id);
      const hashes = lines.map(({ hash }) => hash.toString('hex'));
      await note(tx, verification, 'verification.removed', at, { what, hashes });
    }
    await deleteVerifications(
      tx,
      old.map(({ id }) => id),
    );
    return old.length;
  });

type Subject = { id: string; orgId: string; environment: Environment };

async function note(
  tx: Db,
  subject: Subject,
  type: Entry['type'],
  at: Date,
  data: Record<string, unknown>,
): Promise<void> {
  const entry: Entry = { subjectId: subject.id, type, actor: { kind: 'machine' }, data, at };
  await writeAtOnce(tx, await nextLine(tx, scopeOfHousekeeping(subject), entry));
}
