import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database/connection.ts';
import type { OrgScope } from './database/scope.ts';

export type StoredLine = { sequence: number; hash: Buffer };

/** The ledger of an organisation. Each subject has its own chain of lines. */
export const ledgerOf = ({ orgId }: OrgScope, db: Db) => ({
  /**
   * Returns the newest line of a chain. The caller must hold a lock on the subject, so that nobody adds a line at the same time.
   */
  lastLine: (subjectId: string): Promise<StoredLine | undefined> =>
    db
      .selectFrom('ledger')
      .select(['sequence', 'hash'])
      .where('subjectId', '=', subjectId)
      .where('orgId', '=', orgId)
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst(),

  /** Returns the whole chain. */
  lines: (subjectId: string) =>
    db
      .selectFrom('ledger')
      .select(lineColumns)
      .where('subjectId', '=', subjectId)
      .where('orgId', '=', orgId)
      .orderBy('sequence')
      .execute(),

  insert: (line: NewLine) => db.insertInto('ledger').values({ ...line, orgId }),

  /** `value` is encrypted, and bound to its line. */
  insertPersonal: (subjectId: string, sequence: number, value: Buffer) =>
    db.insertInto('ledger_personal').values({ subjectId, sequence, orgId, value }),

  /** The encrypted personal values of a chain. */
  personal: (subjectId: string) =>
    db
      .selectFrom('ledger_personal')
      .select(['sequence', 'value'])
      .where('subjectId', '=', subjectId)
      .where('orgId', '=', orgId)
      .execute(),

  /** Builds the write that deletes all personal values of a chain. */
  erasePersonal: (subjectId: string) =>
    db.deleteFrom('ledger_personal').where('subjectId', '=', subjectId).where('orgId', '=', orgId),
});

const lineColumns = ['subjectId', 'sequence', 'type', 'data', 'previousHash', 'hash', 'createdAt'] as const;

export type LedgerRow = Awaited<ReturnType<ReturnType<typeof ledgerOf>['lines']>>[number];

type NewLine = StoredLine & {
  subjectId: string;
  type: string;
  data: Record<string, unknown>;
  previousHash: Buffer;
  createdAt: Date;
};

export const ledgerLinesOfAnyOrganisation = (
  db: Db,
  after: { subjectId: string; sequence: number },
  limit: number,
) =>
  db
    .selectFrom('ledger')
    .select(lineColumns)
    .where((eb) => eb(eb.refTuple('subjectId', 'sequence'), '>', eb.tuple(after.subjectId, after.sequence)))
    .orderBy('subjectId')
    .orderBy('sequence')
    .limit(limit)
    .execute();

/** Returns the last lines of the chains whose subjects come after this one, in the order of the subjects. */
export const headsOfAnyOrganisation = (db: Db, afterSubjectId: string, limit: number) =>
  db
    .selectFrom('ledger')
    .distinctOn('subjectId')
    .select(['subjectId', 'sequence', 'hash'])
    .where('subjectId', '>', afterSubjectId)
    .orderBy('subjectId')
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();

/**
 * Returns those of the lines that the ledger still has, with this number and this hash. For a line that was removed with its whole chain,
 * returns the line of the removal, which has its hash.
 */
export const keptLinesOfAnyOrganisation = async (
  db: Db,
  lines: readonly (StoredLine & { subjectId: string })[],
): Promise<KeptLine[]> => {
  const kept = await sql<KeptLine>`
    select ledger.subject_id as "subjectId", ledger.type, ledger.data, ledger.created_at as "createdAt",
      ledger.sequence > line.sequence as "isRemoved"
    from unnest(
      ${lines.map(({ subjectId }) => subjectId)}::uuid[],
      ${lines.map(({ sequence }) => sequence)}::int[],
      ${lines.map(({ hash }) => hash.toString('hex'))}::text[]
    ) as line (subject_id, sequence, hash)
    join ledger on ledger.subject_id = line.subject_id and ledger.sequence >= line.sequence
    where (ledger.sequence = line.sequence and ledger.hash = decode(line.hash, 'hex'))
      or (ledger.sequence > line.sequence and ledger.type = 'verification.removed'
        and (ledger.previous_hash = decode(line.hash, 'hex')
          or ledger.data -> 'hashes' ->> (line.sequence - 1) = line.hash))`.execute(db);
  return kept.rows;
};

type KeptLine = {
  subjectId: string;
  type: string;
  data: Record<string, unknown>;
  createdAt: Date;
  isRemoved: boolean;
};

/** Returns those of the subjects that have no row. */
export async function withoutRowOfAnyOrganisation(db: Db, subjectIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${subjectIds}::uuid[]) as subject (id)
    where not exists (select from verifications where verifications.id = subject.id)
      and not exists (select from webhook_endpoints where webhook_endpoints.id = subject.id)
      and not exists (select from api_keys where api_keys.id = subject.id)
      and not exists (select from organisations where organisations.id = subject.id)
      and not exists (select from members where members.id = subject.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The type and the data of the newest line. Null if the chain has no line. */
export type LastLine = { type: string; data: Record<string, unknown> } | null;

/** True for a line with which a verification was completed. A sandbox verification can be completed when it is created. */
export const completes = sql<boolean>`(
  type = 'verification.completed' or (type = 'verification.created' and data ->> 'status' = 'completed'))`;

/** Selects the time of the line that completed the verification. Null if there is none. */
export const completionByLedger = sql<Date | null>`(
  select max(created_at) from ledger where subject_id = verifications.id and ${completes})`;

/** The time at which housekeeping removed the verification. Undefined if it did not. */
export const removalOfAnyOrganisation = async (db: Db, subjectId: string): Promise<Date | undefined> => {
  const line = await db
    .selectFrom('ledger')
    .select('createdAt')
    .where('subjectId', '=', subjectId)
    .where('type', '=', 'verification.removed')
    .executeTakeFirst();
  return line?.createdAt;
};

/** Lines that change no status. */
const besideTheStatus = [
  ...(['evidence.viewed', 'evidence.masked', 'evidence.purged'] as const),
  ...(['verification.reopened', 'verification.assessed', 'review.claimed', 'review.released'] as const),
  'review.taken_back',
  ...(['verification.cancelled', 'verification.withdrawn'] as const),
  ...(['verification.link_renewed', 'verification.erased', 'verification.exported'] as const),
  ...(['dossier.made', 'relation.ended', 'relation.continues'] as const),
  ...(['member.invited', 'member.joined', 'member.role_changed', 'member.disabled'] as const),
  ...(['member.enabled', 'member.removed', 'member.reset_link_made', 'member.reset'] as const),
  ...(['member.passkey_added', 'member.passkey_removed', 'member.passkey_blocked'] as const),
];

const linesOfPictures = [...(['verification.submitted', 'evidence.masked', 'evidence.purged'] as const)];

type SubjectColumn = 'verifications.id' | 'webhook_endpoints.id' | 'api_keys.id' | 'organisations.id';

const newestWhere = (subjectId: SubjectColumn, condition: RawBuilder<unknown>) =>
  sql<LastLine>`(
    select jsonb_build_object('type', type, 'data', data) from ledger
    where subject_id = ${sql.ref(subjectId)} and ${condition} order by sequence desc limit 1)`;

const literals = (types: readonly string[]) => sql.join(types.map((type) => sql.lit(type)));

/** Selects the newest line of the subject in the column `subjectId` that changed its status, as `lastLine`. */
export const newestLine = (subjectId: SubjectColumn) =>
  newestWhere(subjectId, sql`type not in (${literals(besideTheStatus)})`).as('lastLine');

/** Selects the newest line of the verification that has one of the types. */
export const newestOf = (...types: readonly [string, ...string[]]) =>
  newestWhere('verifications.id', sql`type in (${literals(types)})`);

/** True if the newest line about a pause of the endpoint, by the members or by the operator, began it. */
export const pausedByLedger = (kind: 'member' | 'operator') => sql<boolean>`coalesce((
  select type = 'webhook.paused' from ledger
  where subject_id = webhook_endpoints.id and type in ('webhook.paused', 'webhook.resumed')
    and data -> 'actor' ->> 'kind' = ${sql.lit(kind)} order by sequence desc limit 1), false)`;

/** Selects the data of the lines that say which pictures of the verification came and went since Send, in their order. Empty before Send. */
export const linesOfEvidence = sql<
  Record<string, unknown>[]
>`case when verifications.submitted_at is null then '[]'::jsonb else (
  select coalesce(jsonb_agg(data order by sequence), '[]') from ledger
  where subject_id = verifications.id and type in (${literals(linesOfPictures)})) end`;
