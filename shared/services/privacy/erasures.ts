import type { RootFiles } from '#platform/crypto/root-files.ts';
import { erasedVerificationsOfAnyOrganisation, notErasedOfAnyOrganisation } from '#store/keeping/erasures.ts';
import { callerOfOperator } from '../caller.ts';
import type { Context } from '../context.ts';
import { firstPlace, inBatches } from '../portions/in-batches.ts';
import { erase } from '../verifications/erase.ts';

const rowsAtOnce = 500;
/** An erasure that began before another one may be committed after it. */
const overlapMs = 600_000;

/**
 * Returns a function that notes the erasures since its last call in the folder of the signed roots, which is kept apart from the
 * database. So a restored database cannot bring an erased person back (`undoneErasures`).
 */
export function createErasureNotes({ store }: Pick<Context, 'store'>, roots: RootFiles) {
  let from = firstPlace;
  return async (): Promise<void> => {
    const find = (after: typeof from, limit: number) =>
      erasedVerificationsOfAnyOrganisation(store.db, { after, limit });
    const batches = inBatches(from, rowsAtOnce, find, ({ id, erasedAt: at }) => ({ id, at }));
    for await (const batch of batches) {
      for (const { id, erasedAt } of batch) await roots.noteErasure(id, erasedAt);
      const last = batch.at(-1);
      if (last !== undefined) from = { ...firstPlace, at: new Date(last.erasedAt.getTime() - overlapMs) };
    }
  };
}

/** Yields the verifications that were erased and are not erased in this database, for example after a restore. */
export async function* undoneErasures({ store }: Pick<Context, 'store'>, roots: RootFiles) {
  const noted = await roots.erasures();
  for (let at = 0; at < noted.length; at += rowsAtOnce)
    yield* await notErasedOfAnyOrganisation(store.db, noted.slice(at, at + rowsAtOnce));
}

/** Erases again what a restored database has brought back. Returns the number of verifications. */
export async function repeatErasures(ctx: Pick<Context, 'store'>, roots: RootFiles): Promise<number> {
  let repeated = 0;
  for await (const row of undoneErasures(ctx, roots)) {
    const ordered = { id: row.id, requestId: null };
    await ctx.store.transaction((tx) => erase({ tx }, callerOfOperator(row), ordered));
    repeated += 1;
  }
  return repeated;
}
