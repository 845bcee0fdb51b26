import type {
  MakeDossier,
  RecordCommand,
  Recorded,
  RecordReview,
  RecordVerdict,
  StartDeliveries,
  VerificationRef,
} from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { RootFiles } from '#platform/root-files.ts';
import { createAttempts } from '#services/deliveries/attempt-in-turn.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { startDeliveries, startDeliveriesAtOnce } from '#services/deliveries/start.ts';
import type { TurnLimits } from '#services/deliveries/turns.ts';
import { carryOutOrder } from '#services/dossiers/order.ts';
import { recordStart, recordSubmission } from '#services/flow/record.ts';
import { recordDecline } from '#services/flow/record-decline.ts';
import { recordReview } from '#services/reviews/record.ts';
import { recordVerdict, recordVerification } from '#services/verifications/record.ts';
import type {
  DocumentMasker,
  DocumentReader,
  FaceComparer,
  IncomeReader,
  PictureLooker,
} from './checks/port.ts';
import type { Banks } from './eid/port.ts';
import { withHeartbeats } from './heartbeats.ts';
import { createPurge } from './purge-expired.ts';
import { createChecks, createChecksAhead } from './run-checks.ts';
import { createLooks } from './run-looks.ts';
import { createMasking } from './run-masking.ts';
import { createSigning } from './sign-ledger.ts';
import { triedAgain } from './tried-again.ts';
import { createBankVisits } from './visit-banks.ts';

export type ActivityParts = {
  documents: DocumentReader;
  faces: FaceComparer;
  papers: IncomeReader;
  masker: DocumentMasker;
  looker: PictureLooker;
  banks: Banks;
  log: Log;
  /** Undefined if this deployment keeps no signed roots of the ledger. */
  roots: RootFiles | undefined;
  /** Connects as the role that purges. */
  housekeepingStore: DeliveryContext['store'];
};

/** `failures.ts` replaces the errors of these activities by codes. */
export const createActivities = (
  ctx: DeliveryContext,
  { documents, faces, papers, masker, looker, banks, log, roots, housekeepingStore }: ActivityParts,
  limits?: TurnLimits,
) => ({
  recordVerification: async (ref: VerificationRef) =>
    withDeliveriesStarted(ctx, ref, await recordVerification(ctx, ref)),
  recordStart: async (order: RecordCommand) => {
    const recorded = await recordStart(ctx, order);
    // The first picture follows. In sandbox nobody looks at it.
    if (order.environment === 'live') looker.expect();
    return recorded;
  },
  recordSubmission: (order: RecordCommand) => recordSubmission(ctx, order),
  recordDecline: async (order: RecordCommand) =>
    withDeliveriesStarted(ctx, order, await recordDecline(ctx, order)),
  lookAtPictures: withHeartbeats(createLooks(ctx, looker, log)),
  runChecksAhead: withHeartbeats(createChecksAhead(ctx, { documents, faces }, log)),
  runChecks: withHeartbeats(triedAgain(createChecks(ctx, { documents, faces, papers }, log))),
  visitBanks: withHeartbeats(createBankVisits(ctx, banks, log)),
  maskDocument: withHeartbeats(triedAgain(createMasking(ctx, masker, log))),
  recordVerdict: async (order: RecordVerdict) =>
    withDeliveriesStarted(ctx, order, await recordVerdict(ctx, order)),
  recordReview: async (order: RecordReview) =>
    withDeliveriesStarted(ctx, order, await recordReview(ctx, order)),
  startDeliveries: (order: StartDeliveries) => startDeliveries(ctx, order),
  attemptDelivery: createAttempts(ctx, limits),
  purgeExpired: createPurge({ ...ctx, store: housekeepingStore }, log),
  signLedger: withHeartbeats(createSigning(ctx, { roots, log })),
  makeDossier: withHeartbeats((order: MakeDossier) => carryOutOrder({ ...ctx, roots }, order)),
});

/**
 * Starts the committed deliveries immediately, which saves a step of the workflow. If the start fails or is slow, the workflow
 * starts the deliveries.
 */
async function withDeliveriesStarted(
  ctx: DeliveryContext,
  { verificationId, orgId, environment }: VerificationRef,
  recorded: Recorded,
): Promise<Recorded> {
  const { deliveryIds } = recorded;
  if (deliveryIds.length === 0) return recorded;
  const order = { verificationId, orgId, environment, deliveryIds };
  return { ...recorded, deliveryIds: await startDeliveriesAtOnce(ctx, order) };
}

export type Activities = ReturnType<typeof createActivities>;
