import { sql } from 'kysely';
import type { Db } from './database/connection.ts';
import type { OrgScope } from './database/scope.ts';
import { compiledOnce, countOpen, type Open, transactionTime } from './database/statements.ts';
import type { RequestStatus } from './entities/request.ts';
import { subscribers, type TypesOfMoment } from './webhooks/events.ts';

/** Operations that accept an Idempotency-Key, and those that a member orders. */
export type Operation =
  | 'create_verification'
  | 'create_income_check'
  | 'cancel_verification'
  | 'renew_link'
  | 'erase_verification'
  | 'test_webhook'
  | 'resend_delivery'
  | 'rotate_webhook_secret'
  | 'make_dossier';

/** An earlier version stored the fingerprint of a request as its SHA-256. Such a row is repeated for a day after the upgrade. */
export const plainFingerprintBytes = 32;

export type NewRequest = {
  id: string;
  operation: Operation;
  /** Null if a member asks. */
  keyId: string | null;
  idempotencyKey: string | undefined;
  /** Sealed. Empty if there is no idempotency key. */
  fingerprint: Buffer;
  input: unknown;
  /** The verification that the answer is about, if the request is not its create. */
  verificationId: string | undefined;
  /** The idempotency key of a claim from before this time can be used again (decision 21). */
  keptSince: Date;
};

/** Requests of an organisation in one environment (decision 21). */
export const requestsOf = (scope: OrgScope, db: Db) => ({
  /** Returns undefined if the claim succeeds. If the idempotency key was used before, returns the earlier request. */
  async claim(request: NewRequest): Promise<EarlierRequest | undefined> {
    const { id, operation, keyId, fingerprint, keptSince } = request;
    const row = {
      ...{ id, operation, keyId, fingerprint, orgId: scope.orgId, environment: scope.environment },
      idempotencyKey: request.idempotencyKey ?? null,
      verificationId: request.verificationId ?? null,
      input: JSON.stringify(request.input),
    };
    for (;;) {
      const [claimed] = await claimOne(db, row);
      if (claimed === undefined) continue; // Another caller has just claimed or released the key.
      if (claimed.id === id) return undefined;
      if (claimed.createdAt >= keptSince) return claimed as EarlierRequest;
      await releaseOld(db, claimed.id, keptSince);
    }
  },

  /** The request that used the idempotency key at or after `since`. */
  findByKey: (idempotencyKey: string, since: Date): Promise<EarlierRequest | undefined> =>
    db
      .selectFrom('requests')
      .select(columnsOfEarlier)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .where('idempotencyKey', '=', idempotencyKey)
      .where('createdAt', '>=', since)
      .executeTakeFirst(),

  findAnswer: async (id: string) =>
    (await findAnswer(db, { id, orgId: scope.orgId, environment: scope.environment }))[0],

  /**
   * Locks the request, so that two runs of one workflow cannot both carry it out. The result includes the endpoints that subscribe
   * to the event of this moment, which saves a query.
   */
  lock: async (id: string, types: TypesOfMoment) =>
    (await lockOne(db, { id, orgId: scope.orgId, environment: scope.environment, ...types }))[0],

  /** Builds the write that stores the answer and deletes the input. The input is no longer needed. */
  answer: (id: string, answerStatus: number, answer: Buffer) =>
    db
      .updateTable('requests')
      .set({ status: 'answered', answerStatus, answer, input: null })
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId),

  /** Builds the write that empties the answers about a verification. Their keys stay bound. */
  eraseAnswersAbout: (verificationId: string) =>
    db
      .updateTable('requests')
      .set({ answer: null })
      .where('orgId', '=', scope.orgId)
      .where((eb) => eb.or([eb('id', '=', verificationId), eb('verificationId', '=', verificationId)])),

  release: async (id: string): Promise<void> => {
    await db
      .updateTable('requests')
      .set(released)
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .execute();
  },
});

/** The dossiers that members ordered. An order is a request, so its answer is sealed, erased and purged as all answers are. */
export const dossierOrdersOf = (scope: OrgScope, db: Db) => ({
  /** A dossier that a member ordered, with or without its answer. */
  find: (id: string) =>
    db
      .selectFrom('requests')
      .select(['id', 'verificationId', 'fingerprint', 'answer'])
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .where('operation', '=', 'make_dossier' satisfies Operation)
      .executeTakeFirst(),

  /** Locks an order that has no answer yet, so that it is carried out once. */
  lock: (id: string) =>
    db
      .selectFrom('requests')
      .select(['id', 'verificationId', 'input'])
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .where('operation', '=', 'make_dossier' satisfies Operation)
      .where('status', '=', 'claimed')
      .forUpdate()
      .executeTakeFirst(),
});

/** The creates that nobody has carried out yet. */
export const openCreatesOf = (scope: OrgScope, db: Db) => ({
  /** Undefined if it was claimed before `since`. */
  find: (id: string, since: Date): Promise<OpenClaim | undefined> =>
    openCreate(db, id, since)
      .where('orgId', '=', scope.orgId)
      .where('environment', '=', scope.environment)
      .executeTakeFirst(),
});

/** A create that nobody has carried out, by its id alone. Only the holder of the verification's link may cause this query. */
export const findOpenCreateOfAnyOrganisation = (
  db: Db,
  id: string,
  since: Date,
): Promise<OpenClaim | undefined> => openCreate(db, id, since).executeTakeFirst();

export type OpenClaim = OfScope & { id: string; input: unknown };

/** Each becomes a row of `verifications` with the id of its request. */
const creates = ['create_verification', 'create_income_check'] as const satisfies readonly Operation[];
export type CreateOperation = (typeof creates)[number];

const openCreate = (db: Db, id: string, since: Date) =>
  db
    .selectFrom('requests')
    .select(['id', 'orgId', 'environment', 'input'])
    .where('id', '=', id)
    .where('operation', 'in', creates)
    .where('status', '=', 'claimed')
    .where('createdAt', '>=', since);

type OfScope = Pick<OrgScope, 'orgId' | 'environment'>;

type Wanted = OfScope & { id: string };

const findAnswer = compiledOnce((db: Db, wanted: Wanted) =>
  db
    .selectFrom('requests')
    .select(['answerStatus', 'answer'])
    .where('id', '=', wanted.id)
    .where('orgId', '=', wanted.orgId)
    .where('environment', '=', wanted.environment),
);

type Row = OfScope &
  Pick<NewRequest, 'id' | 'operation' | 'keyId' | 'fingerprint'> & {
    idempotencyKey: string | null;
    verificationId: string | null;
    input: string;
  };

/** The earlier request with the same idempotency key. `input` is null after the request is answered. */
export type EarlierRequest = {
  id: string;
  fingerprint: Buffer;
  input: unknown;
  status: RequestStatus;
  answerStatus: number | null;
  answer: Buffer | null;
  createdAt: Date;
};

const columnsOfEarlier = [
  'id',
  'createdAt',
  'fingerprint',
  'input',
  'status',
  'answerStatus',
  'answer',
] as const;

/**
 * Returns the new row, or the earlier row with the same key. If the earlier row is committed while the statement runs, returns no
 * row. A statement sees only rows that were committed before it began.
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
          keyId: row.keyId,
          idempotencyKey: row.idempotencyKey,
          fingerprint: row.fingerprint,
          verificationId: row.verificationId,
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
        .select(columnsOfEarlier)
        .where('orgId', '=', row.orgId)
        .where('environment', '=', row.environment)
        .where('idempotencyKey', '=', row.idempotencyKey),
    ),
);

const nothingYet = [
  sql<Buffer | null>`null::bytea`.as('fingerprint'),
  sql<unknown>`null::jsonb`.as('input'),
  sql<RequestStatus | null>`null::text`.as('status'),
  sql<number | null>`null::smallint`.as('answerStatus'),
  sql<Buffer | null>`null::bytea`.as('answer'),
] as const;

/** Does nothing if another caller has already released the key. */
const releaseOld = (db: Db, id: string, keptSince: Date) =>
  db
    .updateTable('requests')
    .set(released)
    .where('id', '=', id)
    .where('idempotencyKey', 'is not', null)
    .where('createdAt', '<', keptSince)
    .execute();

/** Frees the key of an old claim, and forgets what was asked. If the claim has no answer, it becomes `abandoned`, and no workflow may carry it out any more. */
export const released = {
  idempotencyKey: null,
  fingerprint: Buffer.alloc(0),
  input: null,
  answerStatus: null,
  answer: null,
  status: sql<RequestStatus>`case requests.status when 'claimed' then 'abandoned' else requests.status end`,
};

const lockOne = compiledOnce((db: Db, wanted: Wanted & TypesOfMoment) =>
  db
    .selectFrom('requests')
    .select(['id', 'status', 'input', 'keyId', 'createdAt', transactionTime, subscribers('requests', wanted)])
    .where('id', '=', wanted.id)
    .where('orgId', '=', wanted.orgId)
    .where('environment', '=', wanted.environment)
    .forUpdate(),
);

export type LockedRequest = NonNullable<Awaited<ReturnType<ReturnType<typeof requestsOf>['lock']>>>;

/**
 * Counts claims without an answer, up to `upTo`. Only their callers know whether they still want an answer (decision 21).
 */
export const countOpenClaimsOfAnyOrganisation = (
  db: Db,
  { claimedBefore, upTo }: { claimedBefore: Date; upTo: number },
): Promise<Open> =>
  countOpen(
    db,
    db
      .selectFrom('requests')
      .select('createdAt as since')
      .where('status', '=', 'claimed')
      .where('createdAt', '<', claimedBefore)
      .orderBy('createdAt')
      .limit(upTo),
  );
