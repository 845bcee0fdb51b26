import { canonicalJson } from '#platform/crypto/canonical-json.ts';
import { type DataKey, sha256 } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { Write } from '#store/database/statements.ts';
import { ledgerOf, type StoredLine } from '#store/ledger.ts';

/**
 * Who did what a line records: a partner's key, the person with the link, a member of the organisation who is signed in to the console,
 * the operator, or the product itself. An operator who is signed in to the console has an id; somebody with the operator's commands has none.
 * The id of a key is null if a version that did not store it took the request.
 */
export type Actor =
  | { kind: 'key'; id: string | null }
  | { kind: 'person' }
  | { kind: 'member'; id: string }
  | { kind: 'operator'; id?: string }
  | { kind: 'machine' };

export type Entry = {
  /** The id of the verification, webhook endpoint, key, organisation or member that the line is about. */
  subjectId: string;
  type:
    | 'verification.created'
    | 'verification.started'
    | 'verification.submitted'
    | 'verification.completed'
    | 'verification.reopened'
    | 'verification.assessed'
    | 'verification.reviewed'
    | 'verification.cancelled'
    | 'verification.withdrawn'
    | 'verification.link_renewed'
    | 'verification.erased'
    | 'verification.exported'
    | 'verification.removed'
    | 'review.claimed'
    | 'review.released'
    | 'review.taken_back'
    | 'evidence.masked'
    | 'evidence.viewed'
    | 'evidence.purged'
    | 'dossier.made'
    | 'relation.ended'
    | 'relation.continues'
    | 'webhook.created'
    | 'webhook.deactivated'
    | 'webhook.secret_rotated'
    | 'webhook.tested'
    | 'webhook.resent'
    | 'webhook.resends_ordered'
    | 'webhook.paused'
    | 'webhook.resumed'
    | 'key.created'
    | 'key.replaced'
    | 'key.revoked'
    | 'organisation.changed'
    | 'member.invited'
    | 'member.joined'
    | 'member.role_changed'
    | 'member.disabled'
    | 'member.enabled'
    | 'member.removed'
    | 'member.reset_link_made'
    | 'member.reset'
    | 'member.passkey_added'
    | 'member.passkey_removed'
    | 'member.passkey_blocked'
    | 'account.signed_in'
    | 'account.code_refused'
    | 'account.password_refused'
    | 'account.signed_out'
    | 'account.session_ended'
    | 'account.preferences_changed'
    | 'account.password_changed'
    | 'account.second_factor_set'
    | 'account.recovery_codes_renewed';
  actor: Actor;
  /** Only enums, ids, numbers and hashes are allowed. The data are part of the hash chain and can never be erased. */
  data: Record<string, unknown>;
  /** From `personalValues`. */
  personal?: SealedFor | undefined;
  at: Date;
};

/** Personal values that can be sealed for one line. They are not part of the chain, so they can be erased. */
export type SealedFor = (binding: string) => Buffer;

/** The predecessor of a subject's first line. */
export const beginning: StoredLine = { sequence: 0, hash: Buffer.alloc(32) };

/** The caller must create the subject in the same transaction. */
export const firstLine = (tx: Db, scope: OrgScope, entry: Entry): Write[] =>
  lineAfter(tx, scope, beginning, entry);

/** The caller's transaction must hold a lock on the subject. */
export const nextLine = async (tx: Db, scope: OrgScope, entry: Entry): Promise<Write[]> =>
  lineAfter(tx, scope, (await ledgerOf(scope, tx).lastLine(entry.subjectId)) ?? beginning, entry);

function lineAfter(tx: Db, scope: OrgScope, previous: StoredLine, entry: Entry): Write[] {
  const { subjectId, type, actor, personal, at } = entry;
  const ledger = ledgerOf(scope, tx);
  const sequence = previous.sequence + 1;
  const data = { ...entry.data, actor };
  const line = ledger.insert({
    subjectId,
    sequence,
    type,
    data,
    previousHash: previous.hash,
    hash: lineHash(previous, { subjectId, type, data, at }),
    createdAt: at,
  });
  if (personal === undefined) return [line];
  return [line, ledger.insertPersonal(subjectId, sequence, personal(ledgerBinding(subjectId, sequence)))];
}

export const personalValues =
  (key: DataKey, values: Record<string, unknown>): SealedFor =>
  (binding) =>
    key.seal(binding, JSON.stringify(values));

/** Binds sealed personal values to their line, so that they cannot be opened in another line. */
export const ledgerBinding = (subjectId: string, sequence: number): string => `${subjectId}/${sequence}`;

/** A stored line may have a type that this version does not write, so `type` is any text. */
type Hashed = Pick<Entry, 'subjectId' | 'data' | 'at'> & { type: string };

/**
 * SHA-256 over the canonical JSON (RFC 8785) of the line, including the hash of the previous line. Anyone who has the lines can
 * compute the hash again.
 */
export const lineHash = (previous: StoredLine, entry: Hashed): Buffer =>
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
