import { type RawBuilder, sql } from 'kysely';
import type { AttemptPhase, AttemptReason } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import type { AttemptOutcome } from '../entities/webhooks/delivery-attempt.ts';
import { nameShown } from '../organisations/settings.ts';

/** Finds a verification by its id or by its `dossier_ref`. */
export const findForDossierOfAnyOrganisation = (
  db: Db,
  wanted: { column: 'id' | 'dossierRef'; value: string },
) =>
  db
    .selectFrom('verifications')
    .select(['id', 'orgId', 'environment'])
    .where(wanted.column, '=', wanted.value)
    .executeTakeFirst();

/** The rows that a dossier is made of, besides the chain of the ledger. */
export const dossierOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  verification: () =>
    db
      .selectFrom('verifications')
      .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
      .select(['verifications.id', 'verifications.environment', 'verifications.status'])
      .select(['verifications.method', 'verifications.reference', 'verifications.dossierRef'])
      .select(['verifications.linkExpiresAt', 'verifications.submittedAt', 'verifications.verdict'])
      .select(['verifications.createdAt', 'verifications.completedAt'])
      .select(['verifications.relationEndedAt', 'verifications.relationContinues'])
      .select([nameShown, 'organisations.evidenceDays'])
      .where('verifications.id', '=', verificationId)
      .where('verifications.orgId', '=', orgId)
      .where('verifications.environment', '=', environment)
      .executeTakeFirstOrThrow(),

  evidence: () =>
    db
      .selectFrom('evidence')
      .select(['kind', 'sha256', 'source', 'takenAt', 'expiresAt'])
      .select(sql<boolean>`picture is not null`.as('hasPicture'))
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .orderBy('kind')
      .execute(),

  events: () =>
    db
      .selectFrom('events')
      .select(['id', 'type', 'createdAt'])
      .select(sql<boolean>`body is not null`.as('hasBody'))
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),

  /** Includes the deliveries that a partner asked for again. Each of the two conditions has its own index. */
  async deliveries() {
    const found = await Promise.all(
      [sql<boolean>`deliveries.trigger = 'event'`, sql<boolean>`deliveries.trigger <> 'event'`].map(
        (trigger) => deliveriesWhere({ orgId, environment }, db, verificationId, trigger),
      ),
    );
    return found.flat().sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || compare(a.id, b.id));
  },
});

const compare = (a: string, b: string) => (a < b ? -1 : 1);

const deliveriesWhere = (
  { orgId, environment }: Pick<OrgScope, 'orgId' | 'environment'>,
  db: Db,
  verificationId: string,
  trigger: RawBuilder<boolean>,
) =>
  db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.eventId', 'events.id')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .select(['webhook_endpoints.url', 'deliveries.nextAttemptAt'])
    .select(['deliveries.id', 'deliveries.eventId', 'deliveries.endpointId', 'deliveries.trigger'])
    .select(['deliveries.status', 'deliveries.createdAt', 'events.type as eventType', everyAttempt])
    .where('events.verificationId', '=', verificationId)
    .where('events.orgId', '=', orgId)
    .where('events.environment', '=', environment)
    .where(trigger)
    .execute();

/** An attempt as Postgres writes it in JSON, so `startedAt` is text. The outcome is null while the attempt is running. */
type Attempt = {
  number: number;
  startedAt: string;
  durationMs: number | null;
  outcome: AttemptOutcome | null;
  reason: AttemptReason | null;
  phase: AttemptPhase | null;
  responseStatus: number | null;
  hasExcerpt: boolean;
};

const everyAttempt = sql<readonly Attempt[]>`coalesce((
  select json_agg(
    json_build_object('number', number, 'startedAt', started_at, 'durationMs', duration_ms, 'outcome', outcome,
      'reason', reason, 'phase', phase, 'responseStatus', response_status,
      'hasExcerpt', answer is not null)
    order by number)
  from delivery_attempts where delivery_id = deliveries.id), '[]')`.as('attempts');

export type DossierRows = {
  [Name in keyof ReturnType<typeof dossierOf>]: Awaited<ReturnType<ReturnType<typeof dossierOf>[Name]>>;
};
