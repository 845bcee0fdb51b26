import { sql } from 'kysely';
import type { Db } from './connection.ts';
import type { OrgScope } from './scope.ts';

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
 * Returns the subjects of those lines that the ledger still has, with this number and this hash. A line that was removed with its whole
 * chain counts, if the line of the removal follows it.
 */
export async function keptLinesOfAnyOrganisation(
  db: Db,
  lines: readonly (StoredLine & { subjectId: string })[],
): Promise<Set<string>> {
  const kept = await sql<{ subjectId: string }>`
    select line.subject_id as "subjectId" from unnest(
      ${lines.map(({ subjectId }) => subjectId)}::uuid[],
      ${lines.map(({ sequence }) => sequence)}::int[],
      ${lines.map(({ hash }) => hash.toString('hex'))}::text[]
    ) as line (subject_id, sequence, hash)
    join ledger on ledger.subject_id = line.subject_id and ledger.sequence in (line.sequence, line.sequence + 1)
    where (ledger.sequence = line.sequence and ledger.hash = decode(line.hash, 'hex'))
      or (ledger.sequence > line.sequence and ledger.previous_hash = decode(line.hash, 'hex')
        and ledger.type = 'verification.removed')`.execute(db);
  return new Set(kept.rows.map(({ subjectId }) => subjectId));
}

/** Returns those of the subjects that have no row. */
export async function withoutRowOfAnyOrganisation(db: Db, subjectIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${subjectIds}::uuid[]) as subject (id)
    where not exists (select from verifications where verifications.id = subject.id)
      and not exists (select from webhook_endpoints where webhook_endpoints.id = subject.id)
      and not exists (select from api_keys where api_keys.id = subject.id)
      and not exists (select from organisations where organisations.id = subject.id)`.execute(db);
  return rows.map(({ id }) => id);
}

/** The type and the data of the newest line. Null if the chain has no line. */
export type LastLine = { type: string; data: Record<string, unknown> } | null;

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
  ...(['verification.reopened', 'verification.assessed'] as const),
  ...(['verification.cancelled', 'verification.withdrawn'] as const),
  ...(['verification.link_renewed', 'verification.erased', 'verification.exported'] as const),
  ...(['dossier.made', 'relation.ended', 'relation.continues'] as const),
  ...(['member.invited', 'member.joined', 'member.role_changed', 'member.disabled'] as const),
  ...(['member.enabled', 'member.reset_link_made', 'member.reset'] as const),
];

/** Selects the newest line of the subject in the column `subjectId` that changed its status, as `lastLine`. */
export const newestLine = (
  subjectId: 'verifications.id' | 'webhook_endpoints.id' | 'api_keys.id' | 'organisations.id',
) =>
  sql<LastLine>`(
    select jsonb_build_object('type', type, 'data', data) from ledger
    where subject_id = ${sql.ref(subjectId)} and type not in (${sql.join(besideTheStatus.map((type) => sql.lit(type)))}) order by sequence desc limit 1)`.as(
    'lastLine',
  );
