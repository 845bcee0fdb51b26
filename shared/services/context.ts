import type { AddressRules } from '#platform/addresses.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { TemporalClient } from '#platform/temporal-client.ts';
import type { Store } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';

/** The parts of a process that verbs reach. A verb names those that it uses, by `Pick`. */
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

/** The context of a verb that a caller asked for, by a request with a key. */
export type CallerContext = Context & {
  scope: OrgScope;
  requestId: string;
  /** The header Idempotency-Key, if it was sent and the operation honours it. */
  idempotencyKey: string | undefined;
  /** SHA-256 of method, path and the parsed body before defaults (decision 21). */
  fingerprint(): Buffer;
  /** Epoch milliseconds by which the answer must be out. */
  deadlineAt: number;
};
