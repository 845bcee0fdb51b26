import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** A document as it came. `file` is sealed. */
export type NewFile = { id: string; sha256: Buffer; size: number; file: Buffer };

/** The documents of one income check that are still there, in the order in which they came. */
export const incomeFilesOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const ofCase = db
    .selectFrom('income_files')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment)
    .orderBy('id');
  const change = db
    .updateTable('income_files')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    list: () => ofCase.select(['id', 'sha256', 'size']).execute(),

    /** Sealed, as long as they were not read. */
    files: () => ofCase.select(['id', 'sha256', 'file']).execute(),

    /** The pictures of their pages, sealed. */
    pages: () => ofCase.select(['id', 'pages']).execute(),

    /** The evidence `papers` must exist. */
    add: async (file: NewFile): Promise<void> => {
      await db
        .insertInto('income_files')
        .values({ ...file, verificationId, kind: 'papers', orgId, environment })
        .execute();
    },

    remove: async (id: string): Promise<void> => {
      await db
        .deleteFrom('income_files')
        .where('id', '=', id)
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .execute();
    },

    /** Deletes the files that were not read. */
    dropUnread: async (): Promise<void> => {
      await change.set({ file: null }).where('file', 'is not', null).execute();
    },

    /** Replaces a file that was read by the pictures of its pages. */
    replace: async (id: string, pages: Buffer | null): Promise<void> => {
      await change.set({ file: null, pages }).where('id', '=', id).execute();
    },
  };
};

/** The documents that were read for an organisation, by the SHA-256 of their file and of their words. */
export const incomeHashesOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** Those of `hashes` that came with other income checks of the organisation. */
  known: async (hashes: readonly Buffer[]): Promise<Buffer[]> => {
    if (hashes.length === 0) return [];
    const rows = await db
      .selectFrom('income_hashes')
      .select('sha256')
      .distinct()
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('sha256', 'in', hashes)
      .where('verificationId', '<>', verificationId)
      .execute();
    return rows.map(({ sha256 }) => sha256);
  },

  add: async (hashes: readonly Buffer[]): Promise<void> => {
    if (hashes.length === 0) return;
    await db
      .insertInto('income_hashes')
      .values(hashes.map((sha256) => ({ verificationId, sha256, orgId, environment })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },

  /** Builds the write that forgets them. */
  forget: () =>
    db
      .deleteFrom('income_hashes')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment),
});
