import { canonicalJson } from '#platform/canonical-json.ts';
import { sha256 } from '#platform/crypto.ts';
import { LedgerLine } from '#store/entities/ledger-line.ts';
import { lastLine, type StoredLine } from '#store/ledger.ts';
import type { Tx } from '#store/orm.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Context } from '../context.ts';

export type Entry = {
  subjectId: string;
  type: 'verification.created' | 'verification.completed' | 'webhook.created';
  /** Enums, ids and counts; it is part of the chain and can never be erased. */
  data: Record<string, unknown>;
  /** Sealed and outside the chain, so that it can be erased. */
  personal?: Record<string, unknown> | undefined;
  at: Date;
};

const firstHash = Buffer.alloc(32);

/** Writes the next line of a subject's history; the caller's transaction holds a lock on the subject, or creates it. */
export async function appendToLedger(ctx: Context, tx: Tx, scope: OrgScope, entry: Entry): Promise<void> {
  const previous = (await lastLine(tx, entry.subjectId)) ?? { sequence: 0, hash: firstHash };
  const sequence = previous.sequence + 1;
  tx.em.create(LedgerLine, {
    subjectId: entry.subjectId,
    sequence,
    orgId: scope.orgId,
    type: entry.type,
    data: entry.data,
    previousHash: previous.hash,
    hash: lineHash(previous, entry),
    personal:
      entry.personal === undefined
        ? null
        : ctx.secrets.seal(
            'ledger-personal',
            `${entry.subjectId}/${sequence}`,
            JSON.stringify(entry.personal),
          ),
    createdAt: entry.at,
  });
}

/** SHA-256 over the RFC 8785 JSON of the line and the hash of the line before it. Anyone can compute it again. */
export const lineHash = (previous: StoredLine, entry: Omit<Entry, 'personal'>): Buffer =>
  sha256(
    canonicalJson({
      subject_id: entry.subjectId,
      sequence: previous.sequence + 1,
      previous_hash: previous.hash.toString('hex'),
      type: entry.type,
      at: entry.at.toISOString(),
      data: entry.data,
    }),
  );
