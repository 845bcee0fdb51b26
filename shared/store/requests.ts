import { sql } from 'kysely';
import type { RequestStatus } from './entities/request.ts';
import { compiledOnce, type Db, type Store } from './orm.ts';
import type { OrgScope } from './scope.ts';

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
export const requestsOf = (scope: OrgScope, store: Pick<Store, 'db' | 'transaction'>) => ({
  /** Claims the request, or finds the one that its idempotency key claimed before. */
  async claim(request: NewRequest) {
    for (;;) {
      if (await insert(scope, store.db, request)) return undefined;
      const earlier = await store.transaction(async (tx) => {
        const found = await lockByKey(scope, tx, request.idempotencyKey ?? '');
        if (found !== undefined && found.createdAt < request.keptSince) {
          await releaseKey(tx, found.id);
          if (await insert(scope, tx, request)) return 'taken over';
        }
        return found;
      });
      if (earlier === 'taken over') return undefined;
      if (earlier !== undefined) return earlier;
      // Somebody else released the key between our two looks at it: look again.
    }
  },

  findAnswer: async (id: string) =>
    (await findAnswer(store.db, { id, orgId: scope.orgId, environment: scope.environment }))[0],
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

const insertOne = compiledOnce((db: Db, row: Row) =>
  db
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
    .returning('id'),
);

/** False when the idempotency key is taken. One statement: the common case needs no transaction. */
async function insert(scope: OrgScope, db: Db, request: NewRequest): Promise<boolean> {
  const { id, operation, fingerprint } = request;
  const inserted = await insertOne(db, {
    ...{ id, operation, fingerprint, orgId: scope.orgId, environment: scope.environment },
    idempotencyKey: request.idempotencyKey ?? null,
    input: JSON.stringify(request.input),
  });
  return inserted.length > 0;
}

const lockByKey = (scope: OrgScope, db: Db, idempotencyKey: string) =>
  db
    .selectFrom('requests')
    .select(['id', 'fingerprint', 'input', 'status', 'answerStatus', 'answer', 'createdAt'])
    .where('orgId', '=', scope.orgId)
    .where('environment', '=', scope.environment)
    .where('idempotencyKey', '=', idempotencyKey)
    .forUpdate()
    .executeTakeFirst();

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
