import type { Purpose } from '#platform/crypto.ts';
import {
  countLinks,
  countSeals,
  type LinksOfKey,
  remakeExpiredLinks,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
  sealedColumns,
  sealedWith,
} from '#store/seals.ts';
import type { Context } from '../context.ts';
import { evidenceBinding } from '../flow/evidence.ts';
import { ledgerBinding } from '../ledger/append.ts';
import { firstId, inBatches } from '../lists/in-batches.ts';
import { answerBinding } from '../requests/answer.ts';
import { webhookBinding } from '../webhooks/secret.ts';

export type SealPurpose = keyof typeof sealedColumns;

/** The numbers of values that only this key can open. */
export type KeyUse = {
  keyId: string;
  /** The newest key seals new values. An older key only opens values. A missing key is not in SECRETS_KEY. */
  standing: 'newest' | 'older' | 'missing';
  sealed: Record<SealPurpose, number>;
  /** The links that were made with this key, including expired links. */
  links: LinksOfKey | undefined;
};

type SealContext = Pick<Context, 'store' | 'secrets'>;

const linksAtOnce = 500;

/** Computes the binding of a value from the primary key of its row. */
const bindingOf: Record<SealPurpose, (key: SealedRow['key']) => string> = {
  'webhook-secret': ([endpointId]) => webhookBinding(String(endpointId)),
  'stored-answer': ([requestId]) => answerBinding(String(requestId)),
  'ledger-personal': ([subjectId, sequence]) => ledgerBinding(String(subjectId), Number(sequence)),
  evidence: ([verificationId, kind]) => evidenceBinding(String(verificationId), String(kind)),
};

const columns = Object.entries(sealedColumns).flatMap(([purpose, each]) =>
  each.map((column) => ({ purpose: purpose as SealPurpose, column })),
);

/**
 * Returns the keys of SECRETS_KEY, newest first, then the other keys that rows refer to. Each entry counts the values of its key.
 */
export async function keysInUse({ store, secrets }: SealContext): Promise<KeyUse[]> {
  const links = await countLinks(store.db);
  const seals = await Promise.all(
    columns.map(async ({ purpose, column }) => ({ purpose, counts: await countSeals(store.db, column) })),
  );
  const named = [...links.keys(), ...seals.flatMap(({ counts }) => [...counts.keys()])];
  return [...new Set([...secrets.keyIds, ...named])].map((keyId) => {
    const sealed = { 'webhook-secret': 0, 'stored-answer': 0, 'ledger-personal': 0, evidence: 0 };
    for (const { purpose, counts } of seals) sealed[purpose] += counts.get(keyId) ?? 0;
    return { keyId, standing: standingOf(secrets, keyId), sealed, links: links.get(keyId) };
  });
}

const standingOf = ({ newestKeyId, keyIds }: Context['secrets'], keyId: string): KeyUse['standing'] =>
  keyId === newestKeyId ? 'newest' : keyIds.includes(keyId) ? 'older' : 'missing';

/** True if the newest key can open every stored value and check every link. */
export const newestIsEnough = (uses: readonly KeyUse[]): boolean =>
  uses.every(
    ({ standing, sealed, links }) =>
      standing === 'newest' || (links === undefined && Object.values(sealed).every((count) => count === 0)),
  );

export type Resealed = { sealed: number; links: number; unreadable: number };

/**
 * Seals the values of older keys again with the newest key, while the product runs. A valid link keeps its key, because a person
 * holds the link. An expired link gets the newest key.
 */
export async function reseal(ctx: SealContext): Promise<Resealed> {
  const done = { sealed: 0, links: await remakeLinks(ctx), unreadable: 0 };
  for (const { purpose, column } of columns) await resealColumn(ctx, purpose, column, done);
  return done;
}

async function resealColumn(
  { store, secrets }: SealContext,
  purpose: Purpose & SealPurpose,
  column: SealedColumn,
  done: Resealed,
): Promise<void> {
  const keyIds = secrets.keyIds.filter((id) => id !== secrets.newestKeyId);
  if (keyIds.length === 0) return;
  const batches = inBatches<SealedRow, SealedRow | undefined>(
    undefined,
    column.batchSize,
    (after, limit) => sealedWith(store.db, column, { keyIds, after, limit }),
    (row) => row,
  );
  for await (const batch of batches)
    for (const row of batch) {
      const value = sealAnew(secrets, purpose, row);
      if (value === undefined) done.unreadable += 1;
      else if (await replaceSealed(store.db, column, { row, value })) done.sealed += 1;
    }
}

/**
 * Returns undefined if the value cannot be opened, for example because somebody changed it by hand or moved it from another row.
 */
function sealAnew(secrets: Context['secrets'], purpose: SealPurpose, { key, value }: SealedRow) {
  const binding = bindingOf[purpose](key);
  try {
    return secrets.seal(purpose, binding, secrets.openBytes(purpose, binding, value));
  } catch {
    return undefined;
  }
}

async function remakeLinks({ store, secrets }: SealContext): Promise<number> {
  const keyId = secrets.newestKeyId;
  const batches = inBatches(
    firstId,
    linksAtOnce,
    (after, limit) => remakeExpiredLinks(store.db, { keyId, after, limit }),
    (id) => id,
  );
  let remade = 0;
  for await (const batch of batches) remade += batch.length;
  return remade;
}
