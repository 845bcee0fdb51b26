import { sql } from 'kysely';
import type { Db } from './connection.ts';
import type { RequestStatus } from './entities/request.ts';
import type { OrgScope } from './scope.ts';
import { compiledOnce } from './statements.ts';

/** What can be asked for under an Idempotency-Key. */
export type Operation = 'create_verification' | 'test_webhook' | 'resend_delivery' | 'rotate_webhook_secret';

export type NewRequest = {
  id: string;
  operation: Operation;
  idempotencyKey: string | undefined;
  fingerprint: Buffer;
  input: unknown;
  /** A claim older than this is no longer kept: its key is free again (decision 21). */
  keptSince: Date;
};

/** Requests of one organisation in one environment (decision 21). */
export const requestsOf = (scope: OrgScope, db: Db) => ({
  /** Claims the request, or finds the one that its idempotency key claimed before. */
  async claim(request: NewRequest): Promise<EarlierRequest | undefined> {
    const { id, operation, fingerprint, keptSince } = request;
    const row = {
      ...{ id, operation, fingerprint, orgId: scope.orgId, environment: scope.environment },
      idempotencyKey: request.idempotencyKey ?? null,
      input: JSON.stringify(request.input),
    };
    for (;;) {
      const [claimed] = await claimOne(db, row);
      if (claimed === undefined) continue; // Somebody else claimed or released the key at this very moment: look again.
      if (claimed.id === id) return undefined;
      if (claimed.createdAt >= keptSince) return claimed as EarlierRequest;
      await releaseOld(db, claimed.id, keptSince);
    }
  },

  findAnswer: async (id: string) =>
    (await findAnswer(db, { id, orgId: scope.orgId, environment: scope.environment }))[0],
});

type OfScope = Pick<OrgScope, 'orgId' | 'environment'>;

const findAnswer = compiledOnce((db: Db, wanted: OfScope & { id: string }) =>
  db
    .selectFrom('requests')
    .select(['answerStatus', 'answer'])
    .where('id', '=', wanted.id)
    .where('orgId', '=', wanted.orgId)
    .where('environment', '=', wanted.environment),
);

type Row = OfScope &
  Pick<NewRequest, 'id' | 'operation' | 'fingerprint'> & { idempotencyKey: string | null; input: string };

/** As it was claimed before; its input is gone once it is answered. */
export type EarlierRequest = {
  id: string;
  fingerprint: Buffer;
  input: unknown;
  answerStatus: number | null;
  answer: Buffer | null;
  createdAt: Date;
};

/**
 * The new row, or the one that has its key, in one statement; neither when the other is just being written, for a statement
 * sees what was there when it began.
 */
const claimOne = compiledOnce((db: Db, row: Row) =>
  db
    .with('claimed', (query) =>
      query
        .insertInto('requests')
        .values({
          id: row.id,
          orgId: row.orgId,
          environment: row.environment,
          operation: row.operation,
          idempotencyKey: row.idempotencyKey,
          fingerprint: row.fingerprint,
          input: row.input,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['orgId', 'environment', 'idempotencyKey'])
            .where('idempotencyKey', 'is not', null)
            .doNothing(),
        )
        .returning(['id', 'createdAt']),
    )
    .selectFrom('claimed')
    .select(['id', 'createdAt', ...nothingYet])
    .unionAll(
      db
        .selectFrom('requests')
        .select(['id', 'createdAt', 'fingerprint', 'input', 'answerStatus', 'answer'])
        .where('orgId', '=', row.orgId)
        .where('environment', '=', row.environment)
        .where('idempotencyKey', '=', row.idempotencyKey),
    ),
);

const nothingYet = [
  sql<Buffer | null>`null::bytea`.as('fingerprint'),
  sql<unknown>`null::jsonb`.as('input'),
  sql<number | null>`null::smallint`.as('answerStatus'),
  sql<Buffer | null>`null::bytea`.as('answer'),
] as const;

/** Unless somebody else did, or took the key over meanwhile. */
const releaseOld = (db: Db, id: string, keptSince: Date) =>
  db
    .updateTable('requests')
    .set(released)
    .where('id', '=', id)
    .where('idempotencyKey', 'is not', null)
    .where('createdAt', '<', keptSince)
    .execute();

/** What becomes of an old claim: its key is free again, and one that was never answered may no longer be carried out. */
export const released = {
  idempotencyKey: null,
  input: null,
  answerStatus: null,
  answer: null,
  status: sql<RequestStatus>`case requests.status when 'claimed' then 'abandoned' else requests.status end`,
};

export const releaseKey = (db: Db, id: string) =>
  db.updateTable('requests').set(released).where('id', '=', id).execute();

/** The answer to a claimed request; its input is emptied, since what it asked for now stands elsewhere. */
export const answerWrite = (db: Db, id: string, answerStatus: number, answer: Buffer) =>
  db
    .updateTable('requests')
    .set({ status: 'answered', answerStatus, answer, input: null })
    .where('id', '=', id);
