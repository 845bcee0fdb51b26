import { canonicalJson } from '#platform/canonical-json.ts';
import { sha256 } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import type { StoredLine } from '#store/ledger.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Write } from '#store/statements.ts';
import type { Context } from '../context.ts';

export type Entry = {
  subjectId: string;
  type:
    | 'verification.created'
    | 'verification.started'
    | 'verification.submitted'
    | 'verification.completed'
    | 'webhook.created'
    | 'webhook.deactivated'
    | 'webhook.secret_rotated';
  /** Enums, ids and counts; it is part of the chain and can never be erased. */
  data: Record<string, unknown>;
  /** Sealed and outside the chain, so that it can be erased. */
  personal?: Record<string, unknown> | undefined;
  at: Date;
};

/** What stands before the first line of a subject. */
export const beginning: StoredLine = { sequence: 0, hash: Buffer.alloc(32) };

/** The next line of a subject's history. The caller's transaction holds a lock on the subject, or creates it. */
export function ledgerWrite(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  previous: StoredLine,
  entry: Entry,
): Write {
  const sequence = previous.sequence + 1;
  const seal = (personal: Record<string, unknown>) =>
    ctx.secrets.seal('ledger-personal', ledgerContext(entry.subjectId, sequence), JSON.stringify(personal));
  return tx.insertInto('ledger').values({
    subjectId: entry.subjectId,
    sequence,
    orgId: scope.orgId,
    type: entry.type,
    data: entry.data,
    previousHash: previous.hash,
    hash: lineHash(previous, entry),
    personal: entry.personal === undefined ? null : seal(entry.personal),
    createdAt: entry.at,
  });
}

/** What binds sealed personal values to their line. */
export const ledgerContext = (subjectId: string, sequence: number): string => `${subjectId}/${sequence}`;

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
