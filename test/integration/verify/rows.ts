import type { Store } from '#store/orm.ts';

/** What the database knows of a verification, and what a test does to it behind the product's back. */
export const rowsOf = ({ store: { db } }: { store: Store }) => ({
  /** Types of its ledger lines, in their order. */
  async lines(id: string): Promise<string[]> {
    const lines = await db
      .selectFrom('ledger')
      .select('type')
      .where('subjectId', '=', id)
      .orderBy('sequence')
      .execute();
    return lines.map(({ type }) => type);
  },

  /** What is kept of what was handed in, by kind. */
  evidence: (id: string) =>
    db
      .selectFrom('evidence')
      .select(['kind', 'picture', 'sha256'])
      .where('verificationId', '=', id)
      .orderBy('kind')
      .execute(),

  async expire(id: string): Promise<void> {
    await db
      .updateTable('verifications')
      .set({ linkExpiresAt: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute();
  },
});
