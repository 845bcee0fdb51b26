import type { Harness } from '#test/support/harness.ts';

type Evidence = { kind: string; picture: Buffer; sha256: Buffer };

/** What the database holds of a verification, and changes that a test makes in it without the product. */
export const storedOf = ({ rows }: Harness) => ({
  /** The types of the ledger lines, in order. */
  lines: async (id: string) =>
    (await rows<{ type: string }>`select type from ledger where subject_id = ${id} order by sequence`).map(
      ({ type }) => type,
    ),

  /** The stored evidence, by kind. */
  evidence: (id: string) =>
    rows<Evidence>`select kind, picture, sha256 from evidence where verification_id = ${id} order by kind`,

  expire: (id: string) =>
    rows`update verifications set link_expires_at = now() - interval '1 second' where id = ${id}`,
});
