import { randomUUID } from 'node:crypto';
import { expiring } from '#contract/workflows.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { findEmails, findKeyNames } from '#store/actor-names.ts';
import type { Store } from '#store/database/connection.ts';
import { type OrgScope, scopeOfKey } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import * as erasures from '#store/keeping/erasures.ts';
import * as removals from '#store/keeping/removals.ts';
import * as retention from '#store/keeping/retention.ts';
import * as seals from '#store/keeping/seals.ts';
import { releaseLease, takeLease } from '#store/leases.ts';
import * as ledger from '#store/ledger.ts';
import { actsOf } from '#store/members/acts.ts';
import * as sessions from '#store/members/member-sessions.ts';
import * as members from '#store/members/members.ts';
import * as passkeys from '#store/members/passkeys.ts';
import * as eidContracts from '#store/organisations/eid-contracts.ts';
import { findFirstSteps } from '#store/organisations/first-steps.ts';
import * as keys from '#store/organisations/keys.ts';
import * as organisations from '#store/organisations/organisations.ts';
import * as relations from '#store/organisations/relations.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { countCharged, countChargedIn, deleteAndCount } from '#store/organisations/usage.ts';
import * as overview from '#store/overview.ts';
import { writeRequestLog } from '#store/request-log.ts';
import { loggedRequestsOf } from '#store/request-log-search.ts';
import * as requests from '#store/requests.ts';
import { ownDecisionsOf } from '#store/reviews/own-decisions.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import * as reviewDecisions from '#store/reviews/review-decisions.ts';
import { countQueueOfAnyOrganisation, reviewQueueOf } from '#store/reviews/review-queue.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import { dataKeysOf } from '#store/verifications/data-keys.ts';
import { dossierOf, findForDossierOfAnyOrganisation } from '#store/verifications/dossiers.ts';
import * as eidTransactions from '#store/verifications/eid-transactions.ts';
import { evidenceEndOf, evidenceOf } from '#store/verifications/evidence.ts';
import * as examinationRows from '#store/verifications/examinations.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { incomeFilesOf, incomeHashesOf } from '#store/verifications/income-files.ts';
import { looksOf } from '#store/verifications/looks.ts';
import * as maskings from '#store/verifications/maskings.ts';
import * as submissions from '#store/verifications/submissions.ts';
import {
  countUnstartedOfAnyOrganisation,
  findUnstartedOfAnyOrganisation,
  unstartedOf,
} from '#store/verifications/unstarted.ts';
import { searchOf } from '#store/verifications/verification-search.ts';
import * as verifications from '#store/verifications/verifications.ts';
import * as deliveries from '#store/webhooks/deliveries.ts';
import * as attempts from '#store/webhooks/delivery-attempts.ts';
import * as orders from '#store/webhooks/delivery-orders.ts';
import * as queue from '#store/webhooks/delivery-queue.ts';
import { countFailure } from '#store/webhooks/endpoint-health.ts';
import { eventsOf, eventWrites } from '#store/webhooks/events.ts';
import { watchedEndpointsOf } from '#store/webhooks/watched-endpoints.ts';
import * as endpoints from '#store/webhooks/webhook-endpoints.ts';
import type { Filled } from './fill.ts';

export type At = Filled & { store: Store; db: Store['db'] };
type Call = (at: At) => Promise<unknown>;

const scopeOf = ({ orgId }: At): OrgScope => scopeOfKey({ orgId, environment: 'sandbox' });
const now = new Date();
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
/** The table of a day that is over has lines of the whole day. Shortly after midnight, the table of today has only a few. */
const noonYesterday = new Date(new Date(ago(1_440)).setUTCHours(12, 0, 0, 0));
const hash = Buffer.alloc(32);
const limit = 50;

const verificationsOf = (at: At) => verifications.verificationsOf(scopeOf(at), at.db);
const requestsOf = (at: At) => requests.requestsOf(scopeOf(at), at.db);
const dossierOrders = (at: At) => requests.dossierOrdersOf(scopeOf(at), at.db);
const deliveriesOf = (at: At) => deliveries.deliveriesOf(scopeOf(at), at.db, at.endpointId);
const ordersOf = (at: At) => orders.deliveryOrdersOf(scopeOf(at), at.db, at.endpointId);
const relationsOf = (at: At) => relations.relationsOf(scopeOf(at), at.db);
const endpointsOf = (at: At) => endpoints.webhookEndpointsOf(scopeOf(at), at.db);
const logged = (at: At) => loggedRequestsOf(scopeOf(at), at.db);
const watched = (at: At) => watchedEndpointsOf(scopeOf(at), at.db);
const evidence = (at: At) => evidenceOf(scopeOf(at), at.db, at.completed.id);
const visits = (at: At) => eidTransactions.eidTransactionsOf(scopeOf(at), at.db, at.openVisit.verificationId);
const eidContract = (at: At) => eidContracts.eidContractOf(scopeOf(at), at.db);
const looks = (at: At) => looksOf(scopeOf(at), at.db, at.completed.id);
const evidenceEnd = (at: At) => evidenceEndOf(scopeOf(at), at.db, at.completed.id);
const incomeFiles = (at: At) => incomeFilesOf(scopeOf(at), at.db, at.incomeCheck.id);
const incomeHashes = (at: At) => incomeHashesOf(scopeOf(at), at.db, at.incomeCheck.id);
const commandsOfPending = (at: At) => commandsOf(scopeOf(at), at.db, at.pending.id);
const examinations = (at: At) => examinationRows.examinationsOf(scopeOf(at), at.db, at.pending.id);
const dataKeys = (at: At) => dataKeysOf(scopeOf(at), at.db);
const claimOf = (at: At) => reviewClaimsOf(scopeOf(at), at.db, at.toReview.id);
const decisionsAt = (at: At) => reviewDecisions.reviewDecisionsOf(scopeOf(at), at.db, at.toReview.id);
const notesAt = (at: At) => reviewDecisions.reviewNotesOf(scopeOf(at), at.db, at.toReview.id);
const reviewOf = (at: At) => reviewsOf(scopeOf(at), at.db, at.toReview.id);
const reviewQueue = (at: At) => reviewQueueOf(scopeOf(at), at.db);
const dossier = (at: At) => dossierOf(scopeOf(at), at.db, at.completed.id);
const membersOf = (at: At) => members.membersOf(scopeOf(at), at.db);
const memberWrites = (at: At) => members.memberWritesOf(scopeOf(at), at.db);
const waysIn = (at: At) => members.waysInOf(scopeOf(at), at.db, at.memberId);
const sessionsOf = (at: At) => sessions.sessionsOf(scopeOf(at), at.db, at.memberId);
const passkeysOf = (at: At) => passkeys.passkeysOf(scopeOf(at), at.db, at.memberId);
const attemptsOf = (at: At) => attempts.attemptsOf(at.retrying.id, at.db);

const newVerification = (id: string) => ({
  id,
  status: 'pending' as const,
  method: 'document_only' as const,
  reference: 'a new one',
  scenario: null,
  dossierRef: `dos_${id}`,
  linkVersion: 1,
  linkKeyId: '11223344',
  linkExpiresAt: now,
  verdict: null,
  createdAt: now,
  completedAt: null,
  runDueSince: now,
});
const verdict = {
  outcome: 'approved' as const,
  assuranceLevel: 'low' as const,
  reasonIds: [],
  checks: [],
  reviewed: false,
};
const newRequest = (id: string, idempotencyKey?: string) => ({
  id,
  operation: 'create_verification' as const,
  keyId: id,
  idempotencyKey,
  fingerprint: hash,
  input: {},
  verificationId: undefined,
  keptSince: ago(1_440),
});
const outcome = {
  outcome: 'failed' as const,
  reason: 'http_status' as const,
  phase: null,
  responseStatus: 500,
  answer: null,
  heads: hash,
  durationMs: 5,
};
const newSession = () => ({
  ...{ id: randomUUID(), tokenHash: hash, isFull: true, userAgent: 'a browser', address: '192.0.2.1' },
  ...{ lastSeenAt: now, expiresAt: now },
});
const requestLine = (at: At) => ({
  requestId: 'req_1',
  orgId: at.orgId,
  environment: 'sandbox' as const,
  keyId: at.key.id,
  method: 'GET',
  path: '/v1/verifications',
  status: 200,
  code: null,
  durationMs: 5,
  createdAt: noonYesterday,
});

const longAgo = { createdFrom: ago(35_000), createdBefore: ago(31_000) };
const newOrder = () => ({
  ...{ id: randomUUID(), kind: 'resend' as const, memberId: randomUUID(), expected: 1 },
  ...longAgo,
});

const sealedColumns = Object.values(seals.sealedColumns).flat();
const secondColumns: Record<string, string | number> = { sequence: 1, number: 1, kind: 'selfie' };
const keyIn = ({ key }: seals.SealedColumn, id: string) =>
  key.map((name, i) => (i === 0 ? id : (secondColumns[name] ?? '')));

/** Calls of every query of the store, by the name of the query. Queries that differ by their options have several calls. */
export const calls: Record<string, Call | Call[]> = {
  openDeliveryIds: (at) => deliveries.openDeliveryIds(scopeOf(at), at.db, at.pending.id),
  'deliveriesOf.find': (at) => deliveriesOf(at).find(at.delivered.id),
  'deliveriesOf.newest': (['pending', 'retrying', 'delivered', 'failed', undefined] as const).flatMap(
    (status) => [
      (at: At) => deliveriesOf(at).newest({ limit, status, after: undefined }),
      (at: At) => deliveriesOf(at).newest({ limit, status, after: at.delivered.id }),
      (at: At) =>
        deliveriesOf(at).newest({
          ...{ limit, status, after: undefined },
          ...{ createdFrom: ago(35_000), createdBefore: ago(32_000) },
        }),
    ],
  ),
  deliveryInFull: (at) => deliveries.deliveryInFull(scopeOf(at), at.db, at.delivered.id),
  'deliveriesOf.holdEvent': (at) => deliveriesOf(at).holdEvent(at.delivered.eventId),
  'deliveriesOf.insert': (at) =>
    deliveriesOf(at).insert({
      ...{ id: randomUUID(), eventId: at.delivered.eventId, environment: 'sandbox' },
      ...{ trigger: 'resend', attemptsAllowed: 1, createdAt: now, nextAttemptAt: now },
    }),
  releaseHeldOfAnyOrganisation: (at) => orders.releaseHeldOfAnyOrganisation(at.db, at.endpointId, limit),
  'deliveryOrdersOf.countFailed': (at) => ordersOf(at).countFailed(longAgo, limit),
  'deliveryOrdersOf.insert': (at) => ordersOf(at).insert(newOrder()),
  'deliveryOrdersOf.newest': (at) => ordersOf(at).newest('resend', limit),
  findOpenOrdersOfAnyOrganisation: (at) => orders.findOpenOrdersOfAnyOrganisation(at.db, limit),
  lockOrderOfAnyOrganisation: (at) => orders.lockOrderOfAnyOrganisation(at.db, at.orderId),
  holdFailedOfAnyOrganisation: (at) =>
    orders.holdFailedOfAnyOrganisation(at.db, {
      ...{ endpointId: at.endpointId, ...longAgo, limit },
      after: { at: ago(34_000), id: at.delivered.id },
    }),
  insertResendsOfAnyOrganisation: (at) =>
    orders.insertResendsOfAnyOrganisation(at.db, [
      {
        ...{ id: randomUUID(), orgId: at.orgId, environment: 'sandbox', trigger: 'resend', createdAt: now },
        ...{
          eventId: at.delivered.eventId,
          endpointId: at.endpointId,
          verificationId: null,
          orderId: at.orderId,
        },
      },
    ]),
  advanceOrderOfAnyOrganisation: (at) =>
    orders.advanceOrderOfAnyOrganisation(at.db, at.orderId, {
      ...{ place: { at: now, id: at.delivered.id }, lookedAt: 1, sent: 1, moreLeft: false, isOver: true },
    }),
  lockDeliveryOfAnyOrganisation: (at) => deliveries.lockDeliveryOfAnyOrganisation(at.db, at.waiting.id),
  changeDeliveryOfAnyOrganisation: (at) =>
    deliveries
      .changeDeliveryOfAnyOrganisation(at.db, at.waiting.id, { status: 'retrying', nextAttemptAt: now })
      .execute(),
  findDestinationOfAnyOrganisation: (at) => deliveries.findDestinationOfAnyOrganisation(at.db, at.waiting.id),
  postponeDeliveryOfAnyOrganisation: (at) =>
    deliveries.postponeDeliveryOfAnyOrganisation(at.db, at.waiting.id, 5_000),
  findOverdueDeliveriesOfAnyOrganisation: (at) =>
    deliveries.findOverdueDeliveriesOfAnyOrganisation(at.db, {
      after: { at: ago(5_000), id: at.waiting.id },
      dueBefore: ago(2),
      limit,
    }),
  countOpenDeliveriesOfAnyOrganisation: (at) =>
    deliveries.countOpenDeliveriesOfAnyOrganisation(at.db, { overdueBefore: ago(2), upTo: limit }),

  findOpenDeliveriesOfAnyOrganisation: [
    (at) =>
      deliveries.findOpenDeliveriesOfAnyOrganisation(at.db, {
        ...{ endpointId: at.endpointId, status: 'pending', after: undefined, limit },
      }),
    (at) =>
      deliveries.findOpenDeliveriesOfAnyOrganisation(at.db, {
        ...{ endpointId: at.endpointId, status: 'retrying', after: at.retrying.id, limit },
      }),
  ],
  isTakenUpOfAnyOrganisation: (at) => deliveries.isTakenUpOfAnyOrganisation(at.db, at.waiting.id, ago(2)),

  claimAttempts: (at) => attempts.claimAttempts(at.db, [at.waiting.id], 1),
  queueNewOfAnyOrganisation: (at) => queue.queueNewOfAnyOrganisation(at.db, [at.waiting.id]),
  takeFromQueueOfAnyOrganisation: (at) =>
    queue.takeFromQueueOfAnyOrganisation(at.db, {
      ...{ endpointId: at.endpointId, from: new Date(0), limit: 10 },
    }),
  cancelQueuedOfAnyOrganisation: (at) =>
    queue.cancelQueuedOfAnyOrganisation(at.db, { endpointId: at.endpointId, limit: 10 }),
  oldestQueuedOfAnyOrganisation: (at) => queue.oldestQueuedOfAnyOrganisation(at.db),
  findQueuesOfAnyOrganisation: (at) => queue.findQueuesOfAnyOrganisation(at.db, { limit: 10 }),
  claimNewDeliveries: (at) => attempts.claimNewDeliveries(at.db, [at.waiting.id]),
  attemptsWithAnswersOfAnyOrganisation: (at) =>
    attempts.attemptsWithAnswersOfAnyOrganisation(at.db, at.retrying.id),
  unclaimAttempt: (at) => attempts.unclaimAttempt(at.db, at.retrying.id, 2),
  ageOfOpenAttemptOfAnyOrganisation: (at) =>
    attempts.ageOfOpenAttemptOfAnyOrganisation(at.db, at.retrying.id),
  'attemptsOf.last': (at) => attemptsOf(at).last(),
  'attemptsOf.fail': (at) => attemptsOf(at).fail(2, outcome),
  settleAsDelivered: (at) =>
    attempts.settleAsDelivered(at.db, {
      deliveryId: at.retrying.id,
      number: 2,
      ...outcome,
      responseStatus: 200,
    }),
  countFailure: (at) => countFailure(at.db, at.endpointId).execute(),
  eventWrites: (at) => {
    const event = { id: 'evt_new', type: 'verification.completed' as const, verificationId: null };
    const to = [{ id: randomUUID(), endpointId: at.endpointId }];
    const kind = { trigger: 'event' as const, attemptsAllowed: 6 };
    return writeAtOnce(
      at.db,
      eventWrites(scopeOf(at), at.db, { ...event, body: hash, createdAt: now }, to, kind),
    );
  },

  'dataKeysOf.find': (at) => dataKeys(at).find(at.completed.id),
  'dataKeysOf.insert': (at) => dataKeys(at).insert(randomUUID(), hash).execute(),
  'dataKeysOf.destroy': (at) => dataKeys(at).destroy(at.completed.id).execute(),

  'eventsOf.eraseReference': (at) => eventsOf(scopeOf(at), at.db).eraseReference(at.completed.id),
  'eventsOf.recipients': (at) => eventsOf(scopeOf(at), at.db).recipients(at.completed.id),
  findForDossierOfAnyOrganisation: [
    (at) => findForDossierOfAnyOrganisation(at.db, { column: 'id', value: at.completed.id }),
    (at) => findForDossierOfAnyOrganisation(at.db, { column: 'dossierRef', value: 'dos_unknown' }),
  ],
  'dossierOf.verification': (at) => dossier(at).verification(),
  'dossierOf.evidence': (at) => dossier(at).evidence(),
  'dossierOf.events': (at) => dossier(at).events(),
  'dossierOf.deliveries': (at) => dossier(at).deliveries(),

  'evidenceOf.received': (at) => evidence(at).received(),
  'maskingsOf.originals': (at) => maskings.maskingsOf(scopeOf(at), at.db, at.pending.id).originals(),
  // Of the sandbox nothing is asked.
  'maskingsOf.areOriginalsLeft': (at) =>
    maskings
      .maskingsOf(scopeOfKey({ orgId: at.orgId, environment: 'live' }), at.db, at.pending.id)
      .areOriginalsLeft(),
  'maskingsOf.begin': (at) => maskings.maskingsOf(scopeOf(at), at.db, at.pending.id).begin(),
  'evidenceOf.all': (at) => evidence(at).all(),
  'evidenceOf.pictures': (at) => evidence(at).pictures(['selfie']),
  'evidenceOf.keep': (at) =>
    evidence(at).keep({ kind: 'selfie', picture: hash, sha256: hash, source: 'upload', expiresAt: now }),
  'evidenceEndOf.stored': (at) => evidenceEnd(at).stored(),
  'evidenceEndOf.endBy': (at) => evidenceEnd(at).endBy(now).execute(),
  'evidenceEndOf.keepUnsentUntil': (at) => evidenceEnd(at).keepUnsentUntil(now, 48).execute(),
  'evidenceEndOf.keepUntil': (at) => evidenceEnd(at).keepUntil(now).execute(),
  'looksOf.areDue': (at) => looks(at).areDue(),
  'looksOf.due': (at) => looks(at).due(),
  'looksOf.note': (at) => looks(at).note({ kind: 'selfie', sha256: hash }, 'no_face', true),
  'looksOf.examinedAhead': (at) => looks(at).examinedAhead(),
  'looksOf.keepAhead': (at) =>
    looks(at).keepAhead(['selfie'], { of: 'selfie 00', checks: [], makings: [], engine: null }),
  'evidenceOf.remove': (at) => evidence(at).remove(['selfie']),
  'evidenceOf.removeAll': (at) => evidence(at).removeAll(),

  findKeyByHash: (at) => keys.findKeyByHash(at.db, at.key.hash),
  markRevoked: (at) => keys.markRevoked(at.db, at.key.id).execute(),
  keysWithHistory: (at) => keys.keysWithHistory(at.db, at.key.id, limit),
  keysOfOrganisation: (at) => keys.keysOfOrganisation(scopeOf(at), at.db, limit),
  keyOfOrganisation: (at) => keys.keyOfOrganisation(scopeOf(at), at.db, randomUUID()),
  countWorkingKeys: (at) => keys.countWorkingKeys(scopeOf(at), at.db, limit),
  'membersOf.lockOrganisation': (at) => membersOf(at).lockOrganisation(),
  'membersOf.list': (at) => membersOf(at).list(limit),
  'membersOf.find': (at) => membersOf(at).find(at.memberId),
  'membersOf.findByEmail': (at) => membersOf(at).findByEmail('member1@example.com'),
  'membersOf.lockSecrets': (at) => membersOf(at).lockSecrets(at.memberId),
  findEver: (at) => members.findEver(scopeOf(at), at.db, limit),
  findAccessGiven: (at) => members.findAccessGiven(scopeOf(at), at.db, 30),
  'membersOf.otherOwners': (at) => membersOf(at).otherOwners(at.memberId),
  'memberWritesOf.insert': (at) =>
    memberWrites(at).insert({ id: randomUUID(), email: 'new@example.com', role: 'auditor' }).execute(),
  'memberWritesOf.change': (at) => memberWrites(at).change(at.memberId, { role: 'owner' }).execute(),
  'waysInOf.keepLink': (at) =>
    waysIn(at).keepLink({ kind: 'reset', tokenHash: hash, expiresAt: now, madeBy: null }).execute(),
  'waysInOf.dropLink': (at) => waysIn(at).dropLink().execute(),
  'waysInOf.recoveryCodesLeft': (at) => waysIn(at).recoveryCodesLeft(),
  'waysInOf.keepRecoveryCodes': (at) => waysIn(at).keepRecoveryCodes([hash]).execute(),
  'waysInOf.dropRecoveryCodes': (at) => waysIn(at).dropRecoveryCodes().execute(),
  'waysInOf.useRecoveryCode': (at) => waysIn(at).useRecoveryCode(hash),
  signInsOfAnyOrganisation: (at) => members.signInsOfAnyOrganisation(at.db, 'member1@example.com', 5),
  membersWithHistoryOfAnyOrganisation: (at) =>
    members.membersWithHistoryOfAnyOrganisation(at.db, at.orgId, limit),
  linkOfAnyOrganisation: (at) => members.linkOfAnyOrganisation(at.db, hash),
  'passkeysOf.list': (at) => passkeysOf(at).list(limit),
  'passkeysOf.lock': (at) => passkeysOf(at).lock(at.passkeyId),
  'passkeysOf.insert': (at) =>
    passkeysOf(at).insert({
      ...{ id: randomUUID(), credentialId: Buffer.from('new'), publicKey: hash, counter: 0, name: 'phone' },
    }),
  'passkeysOf.used': (at) =>
    passkeysOf(at).used(at.passkeyId, { counter: 1, challengeAt: now, at: now }).execute(),
  'passkeysOf.block': (at) => passkeysOf(at).block(at.passkeyId, now),
  'passkeysOf.drop': (at) => passkeysOf(at).drop(at.passkeyId),
  'passkeysOf.dropAll': (at) => passkeysOf(at).dropAll().execute(),
  passkeyOfAnyOrganisation: (at) => passkeys.passkeyOfAnyOrganisation(at.db, hash),
  'sessionsOf.list': (at) => sessionsOf(at).list(limit),
  'sessionsOf.insert': (at) => sessionsOf(at).insert(newSession()).execute(),
  'sessionsOf.seen': (at) => sessionsOf(at).seen(at.orgId, now),
  'sessionsOf.isOpen': (at) => sessionsOf(at).isOpen(at.orgId),
  'sessionsOf.endOne': (at) => sessionsOf(at).endOne(at.orgId).execute(),
  'sessionsOf.endAll': (at) => sessionsOf(at).endAll().execute(),
  'sessionsOf.removeOver': (at) => sessionsOf(at).removeOver(now).execute(),
  'sessionsOf.useForm': (at) => sessionsOf(at).useForm(at.sessionId, hash),
  sessionOfAnyOrganisation: (at) => sessions.sessionOfAnyOrganisation(at.db, hash),
  listKeys: (at) => keys.listKeys(at.store, at.organisation),
  insertKey: (at) =>
    keys
      .insertKey(at.db, {
        ...{
          id: randomUUID(),
          orgId: at.orgId,
          environment: 'sandbox',
          name: null,
          display: 'svc_test_…',
          hash,
        },
        ...{ grants: ['verify:read'], rateLimit: null, expiresAt: null },
      })
      .execute(),
  lockKey: (at) => keys.lockKey(scopeOf(at), at.db, at.key.id),
  ownerOfKey: (at) => keys.ownerOfKey(at.db, at.key.id),
  replaceKey: (at) => keys.replaceKey(at.db, at.key.id, { replacedBy: at.key.id, expiresAt: now }).execute(),

  'ledgerOf.lastLine': (at) => ledger.ledgerOf(scopeOf(at), at.db).lastLine(at.completed.id),
  removalOfAnyOrganisation: (at) => ledger.removalOfAnyOrganisation(at.db, at.completed.id),
  'ledgerOf.insert': (at) =>
    ledger
      .ledgerOf(scopeOf(at), at.db)
      .insert({
        ...{ subjectId: at.completed.id, sequence: 3, type: 'verification.started', data: {} },
        ...{ previousHash: hash, hash, createdAt: now },
      })
      .execute(),
  'actsOf.before': [undefined, ago(65)].map((from) => (at: At) => {
    const place = { at: ago(60), subjectId: at.completed.id, sequence: 1 };
    return actsOf(scopeOf(at), at.db).before({ place, from, limit });
  }),
  'ledgerOf.lines': (at) => ledger.ledgerOf(scopeOf(at), at.db).lines(at.completed.id),
  'ledgerOf.personal': (at) => ledger.ledgerOf(scopeOf(at), at.db).personal(at.completed.id),
  'ledgerOf.erasePersonal': (at) =>
    ledger.ledgerOf(scopeOf(at), at.db).erasePersonal(at.completed.id).execute(),
  'ledgerOf.insertPersonal': (at) =>
    ledger.ledgerOf(scopeOf(at), at.db).insertPersonal(at.completed.id, 3, hash).execute(),
  ledgerLinesOfAnyOrganisation: (at) =>
    ledger.ledgerLinesOfAnyOrganisation(at.db, { subjectId: at.completed.id, sequence: 1 }, limit),
  headsOfAnyOrganisation: (at) => ledger.headsOfAnyOrganisation(at.db, at.completed.id, limit),
  withoutRowOfAnyOrganisation: (at) => ledger.withoutRowOfAnyOrganisation(at.db, [at.completed.id]),
  keptLinesOfAnyOrganisation: (at) =>
    ledger.keptLinesOfAnyOrganisation(at.db, [{ subjectId: at.completed.id, sequence: 1, hash }]),

  ensureOrganisation: (at) => organisations.ensureOrganisation(at.db, at.organisation),
  findOrganisation: (at) => organisations.findOrganisation(at, at.organisation),
  ensureOperators: (at) => organisations.ensureOperators(at.db),
  findSettings: (at) => organisations.findSettings(at.db, { name: at.organisation }),
  lockSettings: (at) => organisations.lockSettings(at.db, { id: at.orgId }),
  updateSettings: (at) => organisations.updateSettings(at.db, at.orgId, { evidenceDays: 20 }).execute(),
  findLogoOfAnyOrganisation: (at) => organisations.findLogoOfAnyOrganisation(at.db, hash),
  'eidTransactionsOf.newest': (at) => visits(at).newest(limit),
  'eidTransactionsOf.find': (at) => visits(at).find(at.openVisit.id),
  'eidTransactionsOf.open': (at) => visits(at).open(),
  'eidTransactionsOf.add': (at) =>
    visits(at).add({ id: randomUUID(), issuerId: 'BANKNL2A', language: 'nl', createdAt: now, endsAt: now }),
  'eidTransactionsOf.change': (at) => visits(at).change(at.openVisit.id, 'open', { asks: 2 }),
  'eidTransactionsOf.noteReturn': (at) => visits(at).noteReturn(at.openVisit.id),
  'eidTransactionsOf.endWithLink': (at) => visits(at).endWithLink().execute(),
  'eidTransactionsOf.removeAll': (at) => visits(at).removeAll().execute(),
  findReturnOfAnyOrganisation: (at) =>
    eidTransactions.findReturnOfAnyOrganisation(at.db, at.openVisit.codeHash),
  findOverdueVisitsOfAnyOrganisation: (at) =>
    eidTransactions.findOverdueVisitsOfAnyOrganisation(at.db, {
      ...{ after: { at: at.openVisit.nextAskAt, id: at.openVisit.id }, dueBefore: ago(2), limit },
    }),
  'eidContractOf.find': (at) => eidContract(at).find(),
  'eidContractOf.works': (at) => eidContract(at).works(),
  'eidContractOf.set': (at) =>
    eidContract(at).set({ value: hash, certificateEndsAt: now, simulated: false }, []).execute(),
  'eidContractOf.remove': (at) => eidContract(at).remove().execute(),
  findStaleIssuersOfAnyOrganisation: (at) =>
    eidContracts.findStaleIssuersOfAnyOrganisation(at.db, now, limit),
  keepIssuersOfAnyOrganisation: (at) =>
    eidContracts.keepIssuersOfAnyOrganisation(at.db, { orgId: at.orgId, changedAt: now }, []),
  contractTimesOfAnyOrganisation: (at) => eidContracts.contractTimesOfAnyOrganisation(at.db),
  writeLogo: (at) => organisations.writeLogo(at.db, at.orgId, { sha256: hash, picture: hash }).execute(),
  deleteLogo: (at) => organisations.deleteLogo(at.db, at.orgId).execute(),
  organisationsWithHistory: (at) => organisations.organisationsWithHistory(at.db, at.orgId, limit),
  'relationsOf.lock': (at) => relationsOf(at).lock(at.completed.id),
  'relationsOf.report': (at) => relationsOf(at).report(at.completed.id, now).execute(),
  'relationsOf.completedWith': (at) => relationsOf(at).completedWith(at.pending.reference),
  removalsAheadOfAnyOrganisation: [null, 'one'].map(
    (org) => (at: At) =>
      relations.removalsAheadOfAnyOrganisation(at.db, {
        ...{ before: ago(50_000), orgId: org && at.otherOrgId, limit },
        after: { at: ago(59_000), id: at.completed.id },
      }),
  ),
  countUnreportedOfAnyOrganisation: (at) =>
    relations.countUnreportedOfAnyOrganisation(at.db, { before: ago(50_000), upTo: limit }),
  countUnreported: (at) =>
    relations.countUnreported(scopeOf(at), at.db, { before: ago(59_000), upTo: limit }),
  noteRemovalWarningsOfAnyOrganisation: (at) =>
    relations.noteRemovalWarningsOfAnyOrganisation(at.db, { until: ago(59_000), limit }),
  takeLease: (at) => takeLease(at.db, { name: 'sweep', holder: at.orgId, ms: 1_000 }),
  releaseLease: (at) => releaseLease(at.db, { name: 'sweep', holder: at.orgId }),
  heldBack: [
    (at) => removals.heldBack(at.db, 'abandoned_verifications', ago(19_950), limit),
    (at) => removals.heldBack(at.db, 'completed_verifications', ago(59_950), limit),
  ],
  oldestExpired: expiring.map((what) => (at: At) => retention.oldestExpired(at.db, what, ago(1_440))),
  lockVerifications: (at) => retention.lockVerifications(at.db, [at.completed.id]),
  deleteEvidence: (at) =>
    retention.deleteEvidence(at.db, [{ verificationId: at.completed.id, kind: 'selfie' }]),
  // Each statement is explained alone, so the verification must have no pictures.
  deleteVerifications: (at) => removals.deleteVerifications(at.db, [at.pending.id]),
  // What refers to a verification is deleted before it (deleteVerifications), so none of those that are filled can go alone.
  deleteAndCount: (at) => deleteAndCount(at.db, [randomUUID()]),
  recordPurge: (at) => retention.recordPurge(at.db, 'claims'),
  lastPurges: (at) => retention.lastPurges(at.db),
  'webhookEndpointsOf.insertDeactivation': (at) =>
    endpointsOf(at).insertDeactivation(at.endpointId).execute(),
  findDeactivationsOfAnyOrganisation: (at) =>
    endpoints.findDeactivationsOfAnyOrganisation(at.db, at.endpointId, limit),
  forgetDeactivationOfAnyOrganisation: (at) =>
    endpoints.forgetDeactivationOfAnyOrganisation(at.db, at.endpointId),
  hasOrganisations: (at) => organisations.hasOrganisations(at),
  writeRequestLog: (at) => writeRequestLog(at.db, [requestLine(at)]),

  'requestsOf.claim': [
    (at) => requestsOf(at).claim(newRequest(randomUUID())),
    (at) => requestsOf(at).claim(newRequest(randomUUID(), 'a new key')),
    (at) => requestsOf(at).claim(newRequest(randomUUID(), at.answered.key)),
    (at) => requestsOf(at).claim({ ...newRequest(randomUUID(), at.answered.key), keptSince: now }),
  ],
  'requestsOf.findByKey': (at) => requests.requestsOf(scopeOf(at), at.db).findByKey('key', new Date(0)),
  'dossierOrdersOf.find': (at) => dossierOrders(at).find(at.request.id),
  'dossierOrdersOf.lock': (at) => dossierOrders(at).lock(at.request.id),
  'requestsOf.findAnswer': (at) => requestsOf(at).findAnswer(at.answered.id),
  'openCreatesOf.find': (at) => requests.openCreatesOf(scopeOf(at), at.db).find(at.request.id, ago(1_440)),
  findOpenCreateOfAnyOrganisation: (at) =>
    requests.findOpenCreateOfAnyOrganisation(at.db, at.request.id, ago(1_440)),
  'requestsOf.answer': (at) => requestsOf(at).answer(at.request.id, 201, hash).execute(),
  'requestsOf.eraseAnswersAbout': (at) => requestsOf(at).eraseAnswersAbout(at.completed.id).execute(),
  'requestsOf.release': (at) => requestsOf(at).release(at.request.id),
  'requestsOf.lock': (at) => requestsOf(at).lock(at.request.id, typesOfVerdict),
  countOpenClaimsOfAnyOrganisation: (at) =>
    requests.countOpenClaimsOfAnyOrganisation(at.db, { claimedBefore: ago(10), upTo: limit }),

  ...Object.fromEntries(
    Object.entries(retention.expired).map(([what, query]) => [
      `expired.${what}`,
      (at: At) => query(at.db, { before: ago(1_440), rowsMax: limit }).execute(),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(retention.purge).map(([what, purgeOne]) => [
      `purge.${what}`,
      (at: At) => purgeOne(at.store, { before: ago(1_440), rowsMax: limit }),
    ]),
  ),

  sealsAfter: sealedColumns.flatMap((column) => [
    (at: At) => seals.sealsAfter(at.db, column, undefined, limit),
    (at: At) => seals.sealsAfter(at.db, column, keyIn(column, at.completed.id), limit),
  ]),
  sealedWith: sealedColumns.map((column) => (at: At) => {
    const [after, upTo] = [keyIn(column, at.completed.id), keyIn(column, at.notFarAfter.id)];
    return seals.sealedWith(at.db, column, { keyIds: ['00112233'], after, upTo, limit });
  }),
  replaceSealed: sealedColumns.map(
    (column) => (at: At) =>
      seals.replaceSealed(at.db, column, [
        { row: { key: keyIn(column, at.completed.id), value: hash }, value: hash },
      ]),
  ),
  linksAfter: (at) => seals.linksAfter(at.db, at.completed.id, limit),
  remakeExpiredLinks: (at) => seals.remakeExpiredLinks(at.db, 'aabbccdd', [at.pending.id, at.completed.id]),

  countChargedIn: (at) => countChargedIn(scopeOf(at), at.db, [{ from: ago(45_000), before: ago(40_000) }]),
  countCharged: (at) =>
    countCharged(at.store, { organisationId: at.otherOrgId, from: ago(45_000), before: ago(40_000) }),

  'searchOf.newest': [
    {},
    { status: 'pending' as const },
    // Nobody has such a verification.
    { method: 'idin' as const },
    { outcome: 'rejected' as const },
    { method: 'idin' as const, outcome: 'rejected' as const },
    { createdBefore: ago(10_000_000) },
    { name: { column: 'dossierRef' as const, value: 'dos_unknown' } },
  ].flatMap((wanted) => [
    (at: At) => searchOf(scopeOf(at), at.db).newest({ limit, after: undefined, ...wanted }),
    (at: At) => searchOf(scopeOf(at), at.db).newest({ limit, after: at.pending.id, ...wanted }),
  ]),
  'verificationsOf.find': (at) => verificationsOf(at).find(at.completed.id),
  'verificationsOf.newest': [
    ...[{}, ...(['pending', 'in_progress', 'completed'] as const).map((status) => ({ status }))].flatMap(
      (filter) => [
        (at: At) => verificationsOf(at).newest({ limit, after: undefined, ...filter }),
        (at: At) => verificationsOf(at).newest({ limit, after: at.pending.id, ...filter }),
      ],
    ),
    (at) => verificationsOf(at).newest({ limit, after: undefined, reference: at.pending.reference }),
    (at) =>
      verificationsOf(at).newest({
        limit,
        after: undefined,
        reference: at.pending.reference,
        status: 'completed',
      }),
  ],
  'incomeChecksOf.find': (at) => incomeChecksOf(scopeOf(at), at.db).find(at.incomeCheck.id),
  'incomeChecksOf.newest': [undefined, 'after'].map(
    (place) => (at: At) =>
      incomeChecksOf(scopeOf(at), at.db).newest({ limit, after: place && at.incomeCheck.id }),
  ),
  'incomeChecksOf.insert': (at) =>
    incomeChecksOf(scopeOf(at), at.db)
      .insert({ verificationId: at.pending.id, linkedId: null, documentTypes: null })
      .execute(),
  'incomeChecksOf.asked': (at) => incomeChecksOf(scopeOf(at), at.db).asked(at.incomeCheck.id),
  'incomeChecksOf.keepJudgement': (at) =>
    incomeChecksOf(scopeOf(at), at.db).keepJudgement(at.incomeCheck.id, null).execute(),
  'incomeFilesOf.list': (at) => incomeFiles(at).list(),
  'incomeFilesOf.files': (at) => incomeFiles(at).files(),
  'incomeFilesOf.pages': (at) => incomeFiles(at).pages(),
  'incomeFilesOf.add': (at) =>
    incomeFiles(at).add({ id: randomUUID(), sha256: hash, size: 1, file: Buffer.alloc(1) }),
  'incomeFilesOf.remove': (at) => incomeFiles(at).remove(randomUUID()),
  'incomeFilesOf.dropUnread': (at) => incomeFiles(at).dropUnread(),
  'incomeFilesOf.replace': (at) => incomeFiles(at).replace(randomUUID(), null),
  'incomeHashesOf.known': (at) => incomeHashes(at).known([hash]),
  'incomeHashesOf.add': (at) => incomeHashes(at).add([hash]),
  'incomeHashesOf.forget': (at) => incomeHashes(at).forget().execute(),
  'verificationsOf.insert': (at) => verificationsOf(at).insert(newVerification(randomUUID())).execute(),
  erasedVerificationsOfAnyOrganisation: (at) =>
    erasures.erasedVerificationsOfAnyOrganisation(at.db, {
      after: { at: ago(5), id: at.pending.id },
      limit,
    }),
  notErasedOfAnyOrganisation: (at) =>
    erasures.notErasedOfAnyOrganisation(at.db, [at.pending.id, at.completed.id]),
  findEmails: (at) => findEmails(scopeOf(at), at.db, [randomUUID()]),
  findKeyNames: (at) => findKeyNames(scopeOf(at), at.db, [randomUUID()]),
  findFirstSteps: (at) => findFirstSteps(scopeOf(at), at.db),
  'settingsOf.all': (at) => settingsOf(scopeOf(at), at.db).all(),
  'settingsOf.shown': (at) => settingsOf(scopeOf(at), at.db).shown(),
  'settingsOf.mayEraseByKey': (at) => settingsOf(scopeOf(at), at.db).mayEraseByKey(),
  'settingsOf.forMasking': (at) => settingsOf(scopeOf(at), at.db).forMasking(),
  'settingsOf.reviewEyes': (at) => settingsOf(scopeOf(at), at.db).reviewEyes(),
  'settingsOf.evidenceDays': (at) => settingsOf(scopeOf(at), at.db).evidenceDays(),
  'verificationsOf.cancel': (at) =>
    verificationsOf(at).cancel(at.pending.id, { at: now, withdrawn: true }).execute(),
  'verificationsOf.renewLink': (at) =>
    verificationsOf(at)
      .renewLink(at.pending.id, { linkVersion: 2, linkKeyId: '11223344', linkExpiresAt: now })
      .execute(),
  'verificationsOf.erase': (at) =>
    verificationsOf(at).erase(at.pending.id, { at: now, cancelledAt: now }).execute(),
  'verificationsOf.start': (at) => verificationsOf(at).start(at.pending.id, now).execute(),
  'verificationsOf.countPicture': (at) => verificationsOf(at).countPicture(at.pending.id),
  'verificationsOf.submit': (at) => verificationsOf(at).submit(at.pending.id, now).execute(),
  'verificationsOf.complete': (at) =>
    verificationsOf(at).complete(at.pending.id, { verdict, at: now, requestId: null }).execute(),
  findLinkOfAnyOrganisation: (at) => verifications.findLinkOfAnyOrganisation(at.db, at.pending.id),
  'verificationsOf.lock': (at) => verificationsOf(at).lock(at.pending.id),
  'verificationsOf.lockWithSubscribers': (at) =>
    verificationsOf(at).lockWithSubscribers(at.pending.id, typesOfVerdict),
  'commandsOf.give': [undefined, hash].map(
    (personal) => (at: At) =>
      commandsOfPending(at).give({
        ...{ requestId: randomUUID(), keyId: null, name: 'submit', data: {} },
        ...(personal && { personal }),
      }),
  ),
  'commandsOf.find': (at) => commandsOfPending(at).find('req_1', 'submit', now),
  'commandsOf.remove': (at) => commandsOfPending(at).remove('req_1').execute(),
  'commandsOf.removeAll': (at) => commandsOfPending(at).removeAll().execute(),
  countSentBeforeOfAnyOrganisation: (at) =>
    examinationRows.countSentBeforeOfAnyOrganisation(at.db, { id: at.pending.id, submittedAt: now }, limit),
  'examinationsOf.found': (at) => examinations(at).found(),
  'examinationsOf.engine': (at) => examinations(at).engine(),
  'examinationsOf.add': (at) => examinations(at).add(null),
  findUnsettledSubmissionsOfAnyOrganisation: (at) =>
    submissions.findUnsettledSubmissionsOfAnyOrganisation(at.db, {
      after: { at: at.pending.submittedAt, id: at.pending.id },
      submittedBefore: ago(2),
      limit,
    }),
  'unstartedOf.started': (at) => unstartedOf(scopeOf(at), at.db).started(at.pending.id).execute(),
  findUnstartedOfAnyOrganisation: (at) =>
    findUnstartedOfAnyOrganisation(at.db, {
      ...{ after: { at: ago(5_000), id: at.pending.id }, dueBefore: ago(2), limit },
    }),
  countUnstartedOfAnyOrganisation: (at) =>
    countUnstartedOfAnyOrganisation(at.db, { dueBefore: ago(2), upTo: limit }),
  countUnsettledSubmissionsOfAnyOrganisation: (at) =>
    submissions.countUnsettledSubmissionsOfAnyOrganisation(at.db, limit),
  findUnmaskedOfAnyOrganisation: (at) =>
    maskings.findUnmaskedOfAnyOrganisation(at.db, {
      ...{ after: { at: ago(5_000), id: at.completed.id }, completedBefore: ago(2), limit },
    }),
  countUnmaskedOfAnyOrganisation: (at) => maskings.countUnmaskedOfAnyOrganisation(at.db, limit),
  maskingsAtWorkOfAnyOrganisation: (at) =>
    maskings.maskingsAtWorkOfAnyOrganisation(at.db, [at.toReview.id, at.completed.id]),
  verificationsAtWorkOfAnyOrganisation: (at) =>
    verifications.verificationsAtWorkOfAnyOrganisation(at.db, [at.pending.id, at.request.id, randomUUID()]),
  verificationsWithHistoryOfAnyOrganisation: (at) =>
    verifications.verificationsWithHistoryOfAnyOrganisation(at.db, at.completed.id, limit),

  'reviewClaimsOf.claim': (at) => claimOf(at).claim('member'),
  'reviewClaimsOf.release': (at) => claimOf(at).release('member'),
  'reviewClaimsOf.holds': (at) => claimOf(at).holds('member'),
  'reviewClaimsOf.end': (at) => claimOf(at).end().execute(),
  'reviewQueueOf.oldest': [
    (at) => reviewQueue(at).oldest({ memberId: 'member', limit, after: undefined }),
    (at) => reviewQueue(at).oldest({ memberId: 'member', limit, after: at.toReview.id }),
  ],
  'reviewQueueOf.length': (at) => reviewQueue(at).length(),
  countQueueOfAnyOrganisation: (at) => countQueueOfAnyOrganisation(at.db, limit),
  'reviewQueueOf.throughput': (at) => reviewQueue(at).throughput(),
  'reviewsOf.subject': (at) => reviewOf(at).subject(),
  'reviewDecisionsOf.decisions': (at) => decisionsAt(at).decisions(),
  'reviewDecisionsOf.dueInMs': (at) => decisionsAt(at).dueInMs(),
  'reviewDecisionsOf.store': (at) =>
    decisionsAt(at).store({
      ...{ id: randomUUID(), memberId: 'member', number: 1, eyes: 1, outcome: 'approved' },
      ...{ reasonIds: ['reviewer_accepts_document'], concludes: true, heldMs: 0, note: null },
    }),
  'ownDecisionsOf.newest': [
    (at) => ownDecisionsOf(scopeOf(at), at.db, 'member').newest({ limit, after: undefined }),
    (at) => ownDecisionsOf(scopeOf(at), at.db, 'member').newest({ limit, after: randomUUID() }),
  ],
  'ownDecisionsOf.find': (at) => ownDecisionsOf(scopeOf(at), at.db, 'member').find(randomUUID()),
  'reviewNotesOf.all': (at) => notesAt(at).all(),
  'reviewNotesOf.erase': (at) => notesAt(at).erase().execute(),
  'reviewDecisionsOf.recorded': (at) => decisionsAt(at).recorded(now, 1).execute(),
  'reviewDecisionsOf.takeBack': (at) => decisionsAt(at).takeBack(randomUUID()).execute(),
  'reviewsOf.replaceVerdict': (at) => reviewOf(at).replaceVerdict(verdict).execute(),
  'reviewsOf.reopen': (at) => reviewOf(at).reopen(now).execute(),
  findDueReviewsOfAnyOrganisation: (at) =>
    reviewDecisions.findDueReviewsOfAnyOrganisation(at.db, {
      ...{ after: { at: ago(5_000), id: at.toReview.id }, storedBefore: ago(2), limit },
    }),
  reviewsAtWorkOfAnyOrganisation: (at) =>
    reviewDecisions.reviewsAtWorkOfAnyOrganisation(at.db, [at.toReview.id, at.completed.id]),

  'loggedRequestsOf.before': [
    (at) =>
      logged(at).before({ place: { at: now, id: '9223372036854775807' }, from: ago(45_000), limit: 1_000 }),
    (at) => logged(at).before({ place: { at: ago(20_000), id: '5' }, from: ago(45_000), limit: 1_000 }),
  ],
  'watchedEndpointsOf.find': (at) => watched(at).find(at.endpointId),
  'watchedEndpointsOf.newest': [
    (at) => watched(at).newest({ limit, after: undefined }),
    (at) => watched(at).newest({ limit, after: at.endpointAfter.id }),
  ],
  'watchedEndpointsOf.changedFromSandbox': (at) => watched(at).changedFromSandbox(at.endpointId),
  'watchedEndpointsOf.figures': (at) => watched(at).figures(at.endpointId),
  'webhookEndpointsOf.countActive': (at) => endpointsOf(at).countActive(),
  'webhookEndpointsOf.find': (at) => endpointsOf(at).find(at.endpointId),
  'webhookEndpointsOf.lock': (at) => endpointsOf(at).lock(at.endpointId),
  'webhookEndpointsOf.insert': (at) =>
    endpointsOf(at)
      .insert({
        ...{ id: randomUUID(), url: 'https://hooks.example/', description: null, environment: 'all' },
        ...{ eventTypes: ['verification.completed'], secret: hash, createdAt: now },
      })
      .execute(),
  'webhookEndpointsOf.rotateSecret': (at) =>
    endpointsOf(at).rotateSecret(at.endpointId, { secret: hash, previousUntil: now }).execute(),
  'webhookEndpointsOf.deactivate': (at) => endpointsOf(at).deactivate(at.endpointId).execute(),
  'webhookEndpointsOf.pause': (at) =>
    endpointsOf(at).pause(at.endpointId, { pausedAt: now, pausedBy: 'operator' }).execute(),
  endpointOfAnyOrganisation: (at) => endpoints.endpointOfAnyOrganisation(at.db, at.endpointId),
  organisationsAtWorkOfAnyOrganisation: (at) =>
    overview.organisationsAtWorkOfAnyOrganisation(at.db, { after: 'A', limit: 25, countedMax: limit }),
  'webhookEndpointsOf.newest': [
    (at) => endpointsOf(at).newest({ limit, after: undefined }),
    (at) => endpointsOf(at).newest({ limit, after: at.endpointAfter.id }),
  ],
  'webhookEndpointsOf.newestWithLastDelivery': (at) => endpointsOf(at).newestWithLastDelivery({ limit: 25 }),
  endpointsWithHistoryOfAnyOrganisation: (at) =>
    endpoints.endpointsWithHistoryOfAnyOrganisation(at.db, at.endpointAfter.id, limit),
  findFailingEndpointsOfAnyOrganisation: (at) =>
    endpoints.findFailingEndpointsOfAnyOrganisation(at.db, ago(1_440)),
};

/** Parts of queries, which have no plan of their own. */
export const partsOfOthers = [
  ...['newestLine', 'pausedByLedger', 'subscribers', 'successToTell'],
  ...(['abandoned_verifications', 'completed_verifications'] as const).flatMap((what) => [
    `expiredByRow.${what}`,
    `overByLedger.${what}`,
  ]),
];
