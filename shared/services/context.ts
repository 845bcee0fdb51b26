import type { AddressRules } from '#platform/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { TemporalClient } from '#platform/temporal-client.ts';
import type { Store } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';

/** The dependencies of verbs. Each verb names the ones that it uses, by `Pick`. */
export type Context = {
  store: Store;
  temporal: TemporalClient;
  clock: Clock;
  secrets: Secrets;
  addresses: AddressRules;
  instruments: Instruments;
  /** Prefix of every link, without a slash at its end. */
  publicUrl: string;
};

/** The context of a verb that runs for a request with an API key. */
export type CallerContext = Context & {
  scope: OrgScope;
  requestId: string;
  /** The header Idempotency-Key, if it was sent and the operation honours it. */
  idempotencyKey: string | undefined;
  /** SHA-256 of method, path and the parsed body before defaults (decision 21). */
  fingerprint(): Buffer;
  /** The deadline of the answer, in milliseconds since 1970. */
  deadlineAt: number;
};
