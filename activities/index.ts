import type {
  AttemptDelivery,
  RecordVerdict,
  RecordVerification,
  StartDeliveries,
} from '#contract/workflows.ts';
import { attemptDelivery } from '#services/deliveries/attempt.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { startDeliveries } from '#services/deliveries/start.ts';
import { recordVerdict, recordVerification } from '#services/verifications/record.ts';

/** What workflows ask of the world. Each is one verb; `failures.ts` guards what an error of theirs can say. */
export const createActivities = (ctx: DeliveryContext) => ({
  recordVerification: (order: RecordVerification) => recordVerification(ctx, order),
  recordVerdict: (order: RecordVerdict) => recordVerdict(ctx, order),
  startDeliveries: (order: StartDeliveries) => startDeliveries(ctx, order),
  attemptDelivery: (order: AttemptDelivery) => attemptDelivery(ctx, order),
});

export type Activities = ReturnType<typeof createActivities>;
