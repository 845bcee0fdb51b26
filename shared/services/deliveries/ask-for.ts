import type { DeliveryTrigger, Environment } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto.ts';
import type { CallerContext } from '../context.ts';

type Asked = {
  endpointId: string;
  eventId: string;
  environment: Environment;
  trigger: Exclude<DeliveryTrigger, 'event'>;
  at: Date;
};

/** A delivery that somebody asked for: one attempt, due at once (decisions 31, 32 and 34). */
export const askedDelivery = ({ scope }: CallerContext, { at, ...delivery }: Asked) => ({
  ...delivery,
  id: newUuid(),
  orgId: scope.orgId,
  attemptsAllowed: 1,
  createdAt: at,
  nextAttemptAt: at,
});

/** Nothing is sent to an endpoint that was deactivated (decisions 29 and 32). */
export function assertActive({ active }: { active: boolean }): void {
  if (!active) throw new Problem('webhook_inactive');
}
