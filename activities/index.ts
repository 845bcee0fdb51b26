import type {
  MakeDossier,
  RecordCommand,
  Recorded,
  RecordReview,
  RecordVerdict,
  VerificationRef,
} from '#contract/workflows.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Log } from '#platform/log.ts';
import type { Attempts } from '#services/attempts/attempt-in-turn.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import type { RecordingContext } from '#services/attempts/recording.ts';
import { firstInput } from '#services/attempts/start.ts';
import { carryOutOrder } from '#services/dossiers/order.ts';
import { recordStart, recordSubmission } from '#services/flow/record.ts';
import { recordDecline } from '#services/flow/record-decline.ts';
import { recordVerdict, recordVerification } from '#services/recording/record.ts';
import { recordReview } from '#services/reviews/record.ts';
import type {
  DocumentMasker,
  DocumentReader,
  FaceComparer,
  IncomeReader,
  LivenessMeasurer,
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

/** What opens pictures and papers, and speaks to banks. */
export type Engines = {
  documents: DocumentReader;
  faces: FaceComparer;
  liveness: LivenessMeasurer;
  papers: IncomeReader;
  masker: DocumentMasker;
  looker: PictureLooker;
  banks: Banks;
};

export type ActivityParts = {
  engines: Engines;
  log: Log;
  /** Undefined if this deployment keeps no signed roots of the ledger. */
  roots: RootFiles | undefined;
  /** Connects as the role that purges. */
  housekeepingStore: DeliveryContext['store'];
  attempts: Attempts;
};

/** `failures.ts` replaces the errors of these activities by codes. */
export const createActivities = (
  ctx: DeliveryContext,
  { engines, log, roots, housekeepingStore, attempts }: ActivityParts,
) => ({
  recordVerification: delivered<VerificationRef>(ctx, attempts, recordVerification),
  recordStart: async (order: RecordCommand) => {
    const recorded = await recordStart(ctx, order);
    // The first picture follows. In sandbox nobody looks at it.
    if (order.environment === 'live') engines.looker.expect();
    return recorded;
  },
  recordSubmission: (order: RecordCommand) => recordSubmission(ctx, order),
  recordDecline: delivered<RecordCommand>(ctx, attempts, recordDecline),
  lookAtPictures: withHeartbeats(createLooks(ctx, engines, log)),
  runChecksAhead: withHeartbeats(createChecksAhead(ctx, engines, log)),
  runChecks: withHeartbeats(triedAgain(createChecks(ctx, engines, log))),
  visitBanks: withHeartbeats(createBankVisits(ctx, engines.banks, log)),
  maskDocument: withHeartbeats(triedAgain(createMasking(ctx, engines.masker, log))),
  recordVerdict: delivered<RecordVerdict>(ctx, attempts, recordVerdict),
  recordReview: delivered<RecordReview>(ctx, attempts, recordReview),
  /** For runs that a worker of the version before began. It goes with the next version. */
  startDeliveries: async ({ deliveryIds, ...event }: VerificationRef & { deliveryIds: string[] }) => {
    for (const deliveryId of deliveryIds)
      await ctx.temporal.startDelivery(firstInput(ctx, { ...event, deliveryId }));
  },
  attemptDelivery: attempts.attempt,
  purgeExpired: createPurge({ ...ctx, store: housekeepingStore }, log),
  signLedger: withHeartbeats(createSigning(ctx, { roots, log })),
  makeDossier: withHeartbeats((order: MakeDossier) => carryOutOrder({ ...ctx, roots }, order)),
});

/** Delivers the event of what was recorded, beside the workflow. Its rows say what is left to do. */
const delivered =
  <Order extends VerificationRef>(
    ctx: DeliveryContext,
    { first }: Attempts,
    record: (ctx: DeliveryContext & RecordingContext, order: Order) => Promise<Recorded>,
  ) =>
  async (order: Order): Promise<Recorded> => {
    const recorded = await first.after(order, (claimFirst) => record({ ...ctx, claimFirst }, order));
    return { ...recorded, deliveryIds: [] };
  };

export type Activities = ReturnType<typeof createActivities>;
