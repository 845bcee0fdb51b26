import type { WebhookDelivery } from '#contract/webhook.ts';
import type { DeliveryRow } from '#store/webhooks/deliveries.ts';

/** A delivery as partners receive it (decision 33). */
export const deliveryView = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  object: 'webhook_delivery',
  event_id: row.eventId,
  event_type: row.eventType,
  status: row.status,
  trigger: row.trigger,
  created_at: row.createdAt.toISOString(),
  next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  attempts: row.attempts.map((attempt) => ({
    number: attempt.number,
    started_at: new Date(attempt.startedAt).toISOString(),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    reason: attempt.reason,
  })),
});
