import { defineEntity, p } from '@mikro-orm/core';
import type { AttemptPhase, AttemptReason } from '#contract/enums.ts';
import { bytes, instant } from '../columns.ts';
import { Delivery } from './delivery.ts';

export type AttemptOutcome = 'delivered' | 'failed' | 'outcome_unknown';

/**
 * This table enforces decision 31. A row is committed before its request is sent. The primary key prevents a second request for the
 * same attempt. The check on `number` prevents a seventh attempt. If `outcome` is null, the attempt is still running or its process
 * could not record the outcome.
 */
export const DeliveryAttempt = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    deliveryId: () => p.manyToOne(Delivery).mapToPk().joinColumn('delivery_id').primary(),
    number: p.smallint().primary(),
    startedAt: instant().defaultRaw('now()'),
    durationMs: p.integer().nullable(),
    outcome: p.text().$type<AttemptOutcome>().nullable(),
    reason: p.text().$type<AttemptReason>().nullable(),
    /** The phase in which the attempt ended. */
    phase: p.text().$type<AttemptPhase>().nullable(),
    responseStatus: p.smallint().nullable(),
    /** The first bytes of the receiver's answer, encrypted. A receiver can repeat personal values of the event, or its own secrets. */
    answer: bytes().nullable(),
    /** Headers that were sent and answered, encrypted for the same reason. */
    heads: bytes().nullable(),
  },
  indexes: [
    {
      name: 'delivery_attempts_with_contents',
      expression:
        'create index "delivery_attempts_with_contents" on "delivery_attempts" ("started_at") where (answer is not null or heads is not null)',
    },
  ],
  checks: [{ name: 'delivery_attempts_number', expression: 'number >= 1 and number <= 6' }],
});
