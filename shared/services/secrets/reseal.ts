import type { RowKey } from '#store/database/paging.ts';
import {
  remakeExpiredLinks,
  replaceSealed,
  type SealedColumn,
  type SealedRow,
  sealedWith,
} from '#store/keeping/seals.ts';
import { attemptBinding } from '../attempts/answers.ts';
import type { Context } from '../context.ts';
import { eidContractBinding } from '../eid/contracts.ts';
import { commandBinding } from '../flow/consent.ts';
import { ledgerBinding } from '../ledger/append.ts';
import { totpBinding } from '../members/second-factor.ts';
import { dataKeyBinding, evidenceBinding } from '../personal/data-key.ts';
import { inBatches } from '../portions/in-batches.ts';
import { type Course, walk } from '../portions/walk.ts';
import { answerBinding } from '../requests/answer.ts';
import { fingerprintBinding } from '../requests/fingerprint.ts';
import { webhookBinding } from '../webhooks/secret.ts';
import { columns, eachLink, eachSeal, type SealContext, type SealPurpose } from './parts.ts';

export type Resealed = { sealed: number; links: number; unreadable: number };

/**
 * Seals the values of older keys again with the newest key, while the product runs. A valid link keeps its key, because a person
 * holds the link. An expired link gets the newest key. A walk that was interrupted can continue or begin again: it changes nothing
 * twice.
 */
export async function reseal(ctx: SealContext, course: Course = {}): Promise<Resealed> {
  const { newestKeyId, keyIds } = ctx.secrets;
  const older = keyIds.filter((id) => id !== newestKeyId);
  const done = { sealed: 0, links: 0, unreadable: 0 };
  const links = eachLink(ctx, async (rows) => {
    const others = rows.filter(({ keyId }) => keyId !== newestKeyId).map(({ id }) => id);
    if (others.length > 0) done.links += await remakeExpiredLinks(ctx.store.db, newestKeyId, others);
  });
  const seals = columns.map(({ purpose, column }) =>
    eachSeal(ctx, column, async (rows, after) => {
      const upTo = rows.at(-1)?.key;
      if (upTo === undefined || !rows.some(({ keyId }) => keyId !== null && older.includes(keyId))) return;
      const values = inBatches<SealedRow, RowKey | undefined>(
        after,
        column.batchSize,
        (place, limit) => sealedWith(ctx.store.db, column, { keyIds: older, after: place, upTo, limit }),
        ({ key }) => key,
      );
      for await (const batch of values) await resealRows(ctx, { purpose, column, rows: batch }, done);
    }),
  );
  await walk([links, ...seals], course);
  return done;
}

type Batch = { purpose: SealPurpose; column: SealedColumn; rows: readonly SealedRow[] };

async function resealRows(
  { store, secrets }: SealContext,
  { purpose, column, rows }: Batch,
  done: Resealed,
): Promise<void> {
  const replacements = rows.flatMap((row) => {
    const value = sealAnew(secrets, purpose, row);
    return value === undefined ? [] : [{ row, value }];
  });
  done.unreadable += rows.length - replacements.length;
  if (replacements.length > 0) done.sealed += await replaceSealed(store.db, column, replacements);
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

/** Computes the binding of a value from the primary key of its row. */
const bindingOf: Record<SealPurpose, (key: RowKey) => string> = {
  'webhook-secret': ([endpointId]) => webhookBinding(String(endpointId)),
  'stored-answer': ([requestId]) => answerBinding(String(requestId)),
  'request-fingerprint': ([requestId]) => fingerprintBinding(String(requestId)),
  'data-key': ([verificationId]) => dataKeyBinding(String(verificationId)),
  'ledger-personal': ([subjectId, sequence]) => ledgerBinding(String(subjectId), Number(sequence)),
  'command-personal': ([verificationId, requestId]) =>
    commandBinding(String(verificationId), String(requestId)),
  'receiver-answer': ([deliveryId, number]) => attemptBinding(String(deliveryId), Number(number)),
  'attempt-heads': ([deliveryId, number]) => attemptBinding(String(deliveryId), Number(number)),
  evidence: ([verificationId, kind]) => evidenceBinding(String(verificationId), String(kind)),
  'eid-contract': ([orgId]) => eidContractBinding(String(orgId)),
  'totp-secret': ([memberId]) => totpBinding(String(memberId)),
};
