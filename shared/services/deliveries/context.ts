import type { Sender } from '#platform/outbound-http.ts';
import type { Context } from '../context.ts';

/** What the verbs of delivery need besides: somebody to send, and the schedule (decision 28). */
export type DeliveryContext = Context & { sender: Sender; retryWaitsMs: readonly number[] };
