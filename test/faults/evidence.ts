import type { ClientLine } from './client.ts';
import type { Item } from './items.ts';
import type { Lost } from './kinds/fault.ts';

/**
 * What client and receiver wrote down, and what the databases hold. The verdict compares these records and never calls the product.
 */
export type Evidence = {
  items: Item[];
  client: ClientLine[];
  received: Received[];
  rounds: Round[];
  /** The path at the receiver, mapped to the secret of its endpoint. */
  secrets: Record<string, string>;
  stored: Stored;
  /** The workflows that run although every load has ended. */
  running: Running[];
};

/** A workflow and the types of its latest events. */
export type Running = { id: string; history: string[] };

export type Round = {
  seed: number;
  fault: string;
  detail: string;
  mayRepeat: boolean;
  maySendLate: boolean;
  hit: boolean;
  startedAt: number;
  /** What the database has forgotten in this round. */
  lost: Lost | undefined;
  /** Parts that ended although nobody had killed them. */
  casualties: string[];
};

export type Received = {
  at: number;
  path: string;
  eventId: string;
  signature: string;
  body: string;
  status: number;
};

export type Stored = {
  requests: { id: string; idempotency_key: string; status: string }[];
  verifications: {
    id: string;
    reference: string;
    environment: string;
    status: string;
    submitted: boolean;
    outcome: string | null;
  }[];
  events: { id: string; verification_id: string; body: Buffer }[];
  deliveries: { id: string; event_id: string; path: string; status: string; overdue: boolean }[];
  attempts: {
    delivery_id: string;
    number: number;
    started_at: Date;
    outcome: string | null;
    phase: string | null;
    response_status: number | null;
  }[];
  ledger: {
    subject_id: string;
    sequence: number;
    type: string;
    data: unknown;
    previous_hash: Buffer;
    hash: Buffer;
    created_at: Date;
  }[];
};

/** What went wrong, with a kind that the report counts. `seed` is that of its round, or undefined if the round is unknown. */
export type Finding = { kind: Kind; seed: number | undefined; line: string };
export type Kind =
  | 'lost'
  | 'doubled'
  | 'not acknowledged'
  | 'unexpected answer'
  | 'event'
  | 'bytes'
  | 'forged'
  | 'clock'
  | 'stuck'
  | 'attempts'
  | 'not reached'
  | 'died by itself'
  | 'late duplicate'
  | 'ledger';

export const found = (kind: Kind, seed: number | undefined, line: string): Finding => ({ kind, seed, line });

export const groups = <Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Map<string, Entry[]> => Map.groupBy(entries, keyOf);

/** The round in which a moment lies. */
export const roundAt = ({ rounds }: Pick<Evidence, 'rounds'>, at: number): Round | undefined =>
  rounds.findLast(({ startedAt }) => startedAt <= at);

/** True if a database may have forgotten what it did at this moment. */
export const isForgotten = ({ rounds }: Pick<Evidence, 'rounds'>, at: number): boolean =>
  rounds.some(({ lost }) => lost !== undefined && lost.from <= at && at <= lost.to);

/** The lines of the client without those that were acknowledged in forgotten time. */
export const keptLines = (evidence: Pick<Evidence, 'client' | 'rounds'>): ClientLine[] =>
  evidence.client.filter(({ at, ms }) => !isForgotten(evidence, at + ms));

/** The requests at the receiver without those of forgotten time, whose rows may be missing. */
export const keptReceived = (evidence: Pick<Evidence, 'received' | 'rounds'>): Received[] =>
  evidence.received.filter(({ at }) => !isForgotten(evidence, at));

export type EventBody = { data: { verification_id: string; reference: string; outcome: string } };

export const bodyOf = ({ body }: Received): EventBody =>
  JSON.parse(Buffer.from(body, 'base64').toString()) as EventBody;
