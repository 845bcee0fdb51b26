import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The lines about what members and the operator did, for the log of an organisation. */
export class IndexOfActs extends ConcurrentIndexes {
  override readonly indexes = {
    ledger_acts: `ledger (org_id, created_at, subject_id, sequence) where (((data -> 'actor'::text) ->> 'kind'::text) = any (array['member'::text, 'operator'::text]) or type = 'member.passkey_blocked'::text)`,
  };
}
