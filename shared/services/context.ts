import type { OpenContract } from '#contract/eid.ts';
import type { Grant } from '#contract/enums.ts';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/crypto.ts';
import type { CreateAdmission } from '#platform/limits/admission.ts';
import type { Log } from '#platform/log.ts';
import type { AddressRules } from '#platform/outbound/addresses.ts';
import type { PasswordCost } from '#platform/sign-in/password.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { TemporalClient } from '#platform/temporal/client.ts';
import type { RunStarts } from '#platform/temporal/run-starts.ts';
import type { Store } from '#store/database/connection.ts';

/**
 * The dependencies of the verbs, which are the operations of the service layer. A verb uses `Pick` to declare the dependencies that
 * it needs.
 */
export type Context = {
  store: Store;
  temporal: TemporalClient;
  clock: Clock;
  secrets: Secrets;
  addresses: AddressRules;
  instruments: Instruments;
  /** The prefix of every link, without a trailing slash. */
  publicUrl: string;
  /** The contract with a simulator, where one runs. All of sandbox goes to its banks. */
  simulator?: OpenContract | undefined;
  /** Replaces the cost of hashing a password, for tests that are not about it. */
  passwordCost?: PasswordCost | undefined;
  /** Replaces the time for which a reviewer can take a decision back, for tests that are not about it. */
  reviewHeldMs?: number | undefined;
};

/** What makes a request one that may be sent again. */
export type RepeatableRequest = {
  /** The header Idempotency-Key. */
  idempotencyKey: string;
  /** SHA-256 of the method, the path and the parsed body before defaults are filled in (decision 21). It is stored encrypted. */
  fingerprint(): Buffer;
};

/** The context of a verb that serves a request with an API key. A page of the console has parts of it. */
export type RequestContext = Context & {
  /** The scopes of the key. */
  grants: readonly Grant[];
  /** True if the operator has paused the organisation. Creates are then refused. */
  isPaused: boolean;
  log: Pick<Log, 'warn'>;
  admission: CreateAdmission;
  runStarts: RunStarts;
  /** Null for a page and for a command, which are no request of the interface. */
  requestId: string | null;
  /** Undefined if no Idempotency-Key was sent, or if the operation does not support it. */
  request?: RepeatableRequest | undefined;
  /** The deadline of the answer, in milliseconds since 1970. */
  deadlineAt: number;
};
