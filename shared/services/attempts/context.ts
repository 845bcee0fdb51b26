import type { Sender } from '#platform/outbound/http.ts';
import type { Context } from '../context.ts';

/** The context of deliveries. `retryWaitsMs` is the retry schedule in milliseconds (decision 28). */
export type DeliveryContext = Context & { sender: Sender; retryWaitsMs: readonly number[] };
