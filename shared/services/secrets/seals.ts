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
import { answerBinding } from '../requests/answer.ts';
import { webhookBinding } from '../webhooks/secret.ts';

export type SealPurpose = keyof typeof sealedColumns;

/** What would be lost with a key. */
export type KeyUse = {
  keyId: string;
  /** Newest seals what is new, older ones only open, a missing one is not in SECRETS_KEY. */
  standing: 'newest' | 'older' | 'missing';
  sealed: Record<SealPurpose, number>;
  /** Links that the key makes, also those that no longer work. */
  links: LinksOfKey | undefined;
};

type SealContext = Pick<Context, 'store' | 'secrets'>;

const linksAtOnce = 500;

/** To which row a value is bound; the ledger's rows have two parts to their name. */
const contextOf: Record<SealPurpose, (key: SealedRow['key']) => string> = {
  'webhook-secret': ([endpointId]) => webhookBinding(String(endpointId)),
  'stored-answer': ([requestId]) => answerBinding(String(requestId)),
  'ledger-personal': ([subjectId, sequence]) => ledgerBinding(String(subjectId), Number(sequence)),
  evidence: ([verificationId, kind]) => evidenceBinding(String(verificationId), String(kind)),
};

const columns = Object.entries(sealedColumns).flatMap(([purpose, each]) =>
  each.map((column) => ({ purpose: purpose as SealPurpose, column })),
);

/** Each key of SECRETS_KEY, newest first, and each that rows still name, with what it protects. */
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

/** True when the newest key is enough for everything that is stored. */
export const newestIsEnough = (uses: readonly KeyUse[]): boolean =>
  uses.every(
    ({ standing, sealed, links }) =>
      standing === 'newest' || (links === undefined && Object.values(sealed).every((count) => count === 0)),
  );

export type Resealed = { sealed: number; links: number; unreadable: number };

/**
 * Seals with the newest key what older ones of SECRETS_KEY sealed, while the product runs. Links that still work keep their
 * key, for they are out in the world; those that do not are made with the newest from now on.
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
  const limit = column.batchSize;
  let batch: SealedRow[];
  let after: SealedRow | undefined;
  do {
    batch = await sealedWith(store.db, column, { keyIds, after, limit });
    for (const row of batch) {
      const value = sealAnew(secrets, purpose, row);
      if (value === undefined) done.unreadable += 1;
      else if (await replaceSealed(store.db, column, { row, value })) done.sealed += 1;
    }
    after = batch.at(-1);
  } while (batch.length === limit);
}

/** Undefined for a value that does not open: it was changed by hand, or moved from another row. */
function sealAnew(secrets: Context['secrets'], purpose: SealPurpose, { key, value }: SealedRow) {
  const context = contextOf[purpose](key);
  try {
    return secrets.seal(purpose, context, secrets.openBytes(purpose, context, value));
  } catch {
    return undefined;
  }
}

async function remakeLinks({ store, secrets }: SealContext): Promise<number> {
  let remade = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const batch = { keyId: secrets.newestKeyId, after, limit: linksAtOnce };
    const { count, last } = await remakeExpiredLinks(store.db, batch);
    remade += count;
    if (last === undefined) return remade;
    after = last;
  }
}
