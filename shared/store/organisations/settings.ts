import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** The name that people outside the organisation read. Members and the operator have `name`, which is unique. */
export const nameShown = sql<string>`coalesce(organisations.display_name, organisations.name)`.as(
  'organisation',
);

/** What the hosted pages need of an organisation, for a query that joins `organisations` and `organisation_logos`. */
export const shownToEndUsers = [
  nameShown,
  'organisations.decisions as rule',
  'organisations.purpose',
  'organisations.contact',
  'organisations.privacyUrl',
  'organisations.colour',
  'organisations.returnUrl',
  'organisations.languages',
  'organisation_logos.sha256 as logo',
  'organisations.offersOtherWay',
  'organisations.evidenceDays',
  'organisations.coverPortrait',
] as const;

/** What an organisation has chosen. */
export const settingsOf = ({ orgId }: OrgScope, db: Db) => ({
  /** Everything, with the hash of the logo. */
  all: () =>
    db
      .selectFrom('organisations')
      .leftJoin('organisation_logos', 'organisation_logos.orgId', 'organisations.id')
      .selectAll('organisations')
      .select('organisation_logos.sha256 as logo')
      .where('organisations.id', '=', orgId)
      .executeTakeFirstOrThrow(),

  /** What the hosted pages need of it. */
  shown: () =>
    db
      .selectFrom('organisations')
      .leftJoin('organisation_logos', 'organisation_logos.orgId', 'organisations.id')
      .select(shownToEndUsers)
      .where('organisations.id', '=', orgId)
      .executeTakeFirstOrThrow(),

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
      .select([nameShown, 'purpose', 'coverPortrait'])
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
