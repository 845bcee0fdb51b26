import type { Db } from './connection.ts';
import type { OrgScope } from './scope.ts';

/** What an organisation has chosen. */
export const settingsOf = ({ orgId }: OrgScope, db: Db) => ({
  /** True if a key of live may erase the data of a person (decision 43). */
  async mayEraseByKey(): Promise<boolean> {
    const { eraseByKey } = await db
      .selectFrom('organisations')
      .select('eraseByKey')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    return eraseByKey;
  },

  /** What a masked copy says, and whether it covers the photograph. */
  forMasking: () =>
    db
      .selectFrom('organisations')
      .select(['name as organisation', 'purpose', 'coverPortrait'])
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow(),
  /** How many members must agree when people decide: 1 or 2. */
  async reviewEyes(): Promise<number> {
    const { reviewEyes } = await db
      .selectFrom('organisations')
      .select('reviewEyes')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    return reviewEyes;
  },

  /** For how many days pictures are kept after they were sent. */
  async evidenceDays(): Promise<number> {
    const { evidenceDays } = await db
      .selectFrom('organisations')
      .select('evidenceDays')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    return evidenceDays;
  },
});
