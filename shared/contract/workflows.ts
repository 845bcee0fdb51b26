import type {
  AssuranceLevel,
  AttemptReason,
  CheckKind,
  CheckResult,
  DeliveryStatus,
  Environment,
  Language,
  Method,
  Outcome,
  Scenario,
  VerificationStatus,
} from './enums.ts';

/**
 * Everything that crosses into Temporal: names, identifiers, enums and counts. No personal value crosses (decision 38), so
 * erasing a person never needs Temporal.
 */

export const taskQueues = { verifications: 'verifications', webhooks: 'webhooks', checks: 'checks' } as const;
export type TaskQueues = { readonly [queue in keyof typeof taskQueues]: string };

/** Checks have their own queue, so slow checks never delay a create. Its name follows from that of the verifications' queue. */
export const checksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.checks);

/** The search attributes that Temporal's UI can filter by, as typed keys of the SDK. */
export const searchAttributes = {
  orgId: { name: 'OrgId', type: 'KEYWORD' },
  environment: { name: 'Environment', type: 'KEYWORD' },
  verificationId: { name: 'VerificationId', type: 'KEYWORD' },
  verificationStatus: { name: 'VerificationStatus', type: 'KEYWORD' },
  deliveryStatus: { name: 'DeliveryStatus', type: 'KEYWORD' },
  attempt: { name: 'Attempt', type: 'INT' },
  nextAttemptAt: { name: 'NextAttemptAt', type: 'DATETIME' },
} as const;

export const workflowNames = {
  verification: 'verification',
  delivery: 'delivery',
  housekeeping: 'housekeeping',
} as const;

/** The header that carries the trace context. Temporal's own interceptors use the same name in every language. */
export const traceHeader = '_tracer-data';

/** A schedule's workflows have ids that begin with the schedule's id; the server adds the time. */
export const scheduleIds = { housekeeping: 'housekeeping' } as const;

export const verificationWorkflowId = (verificationId: string) => `verification/${verificationId}`;
export const deliveryWorkflowId = (deliveryId: string) => `delivery/${deliveryId}`;

/** How a sandbox verification gets its verdict (specification 4.1). */
export type SandboxPlan = { scenario: Scenario; autoComplete: boolean };

export type VerificationInput = {
  verificationId: string;
  orgId: string;
  environment: Environment;
  method: Method;
  /** Null in live. */
  sandbox: SandboxPlan | null;
};

/** `abandoned`: the claim is over a day old and must not be carried out any more. `missing`: no request has this id. */
export type RecordedStatus = VerificationStatus | 'abandoned' | 'missing';

/** The answer of every update: the status of the verification afterwards. */
export type RecordedResult = { status: RecordedStatus };

/** Update `create` resolves once the verification's row is committed. Its id is fixed, so a repeat returns the first outcome. */
export const createUpdate = { name: 'create', id: 'create' } as const;

/** Update `complete` (specification 3; decision 8) resolves once the verification is completed, by this command or by another. */
export const completeUpdate = { name: 'complete' } as const;
export type CompleteCommand = {
  orgId: string;
  environment: Environment;
  scenario: Scenario | null;
  requestId: string;
};

/** Update `start` (decision 6): the end user consented and pressed Start. It resolves as soon as the start is recorded or is refused. */
export const startUpdate = { name: 'start' } as const;
export type StartCommand = {
  consent: Consent;
  requestId: string;
};
/** The version of the consent text, and the language in which the end user read it. */
export type Consent = { version: number; language: Language };

/** Update `submit`: the end user submitted everything. It resolves as soon as the row is written. Checks and verdict follow. */
export const submitUpdate = { name: 'submit' } as const;
export type SubmitCommand = { requestId: string };

/** One check of a verdict; `confidence` is from 0 to 1 (decision 12). */
export type Check = { kind: CheckKind; result: CheckResult; confidence: number };
export type Decision = {
  outcome: Outcome;
  assuranceLevel: AssuranceLevel;
  /** Keys of the catalogue of reasons, never text (decision 11). */
  reasonIds: string[];
  checks: Check[];
  reviewed: boolean;
};

/** The verification that an activity is about. The activity reads everything else from the row. */
export type VerificationRef = { verificationId: string; orgId: string; environment: Environment };

/** Activity `recordVerification` writes the row, or returns the stored one. */
export type RecordVerification = VerificationRef & {
  /** The verdict of a verification that completes at once. Null if it stays pending. */
  decision: Decision | null;
};
export type RecordedVerification = {
  status: RecordedStatus;
  /** Milliseconds until the link expires. A duration, because clocks differ. */
  linkLeftMs: number;
  /** The end user has submitted everything. Absent in histories from before the hosted page. */
  submitted?: boolean;
  /** Deliveries whose workflow is still to be started. */
  deliveryIds: string[];
};

/** Activity `recordStart` returns the state of the row afterwards. */
export type RecordStart = VerificationRef & StartCommand;
export type RecordedStart = { status: RecordedStatus; linkLeftMs: number };

/** Activity `recordSubmission`. `submitted` is false when evidence is missing or the link has expired. */
export type RecordSubmission = VerificationRef & SubmitCommand;
export type RecordedSubmission = { status: RecordedStatus; submitted: boolean; linkLeftMs: number };

/**
 * Activity `runChecks`: the checks that the method's examiner made. Results and confidences, never the text that was read. A
 * check that could not be made is left out. Null: the examination broke down and may be tried again.
 */
export type RunChecks = VerificationRef;
export type FoundChecks = Check[] | null;

/** Activity `recordVerdict` completes an open verification. `requestId` names the API's request; null for the hosted flow. */
export type RecordVerdict = VerificationRef & { decision: Decision; requestId: string | null };
export type RecordedVerdict = {
  deliveryIds: string[];
  /** Set if the row has no submission, as after a restore: the state of the row. Then nothing was recorded. */
  instead?: RecordedStart;
};

export type StartDeliveries = VerificationRef & { deliveryIds: string[] };

export type DeliveryInput = {
  deliveryId: string;
  orgId: string;
  environment: Environment;
  verificationId: string | null;
  /** Milliseconds before each attempt after the first; one attempt more than there are waits (decision 28). */
  waitsMs: readonly number[];
  /** The first attempt may be made inside the workflow task. Absent in older histories. */
  onTheSpot?: true;
};
export type DeliveryResult = { status: DeliveryStatus; attempts: number };

/** Activity `attemptDelivery` makes attempt `number`. If that attempt exists, it returns the delivery's state. */
export type AttemptDelivery = {
  deliveryId: string;
  number: number;
  /** The schedule's wait if this attempt fails. Null for the last attempt. */
  waitMs: number | null;
  /** Attempt inside the workflow task, only if the receiver is known to be fast: a slow one would block the task. */
  onTheSpot?: true;
};
/** The answer of `attemptDelivery`. The three forms share no tag, because older histories hold reports without one. */
export type AttemptReport = AttemptedReport | DeferredReport | ElsewhereReport;
export type AttemptedReport = {
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempts: number;
  /** Milliseconds until the next step is due; 0 once the delivery has ended. */
  waitMs: number;
  responseStatus: number | null;
  reason: AttemptReason | null;
};
/** No attempt was made, because the endpoint or its organisation uses its whole share of the worker. */
export type DeferredReport = { deferred: true; status: DeliveryStatus; waitMs: number };
/** No attempt was made inside the workflow task. The workflow must make it as a regular activity. */
export type ElsewhereReport = { elsewhere: true };

/**
 * The kinds of data that expire; `policy/retention.ts` says when. `claims`: the idempotency key and the answer of a request, and
 * the input of a request that was never answered. `request_log`: whole lines. `event_bodies`: the bytes of sent events.
 * `response_excerpts`: the first bytes of receivers' answers. `evidence`: the pictures of end users.
 */
export const expiring = ['claims', 'request_log', 'event_bodies', 'response_excerpts', 'evidence'] as const;
export type Expiring = (typeof expiring)[number];

export type HousekeepingInput = {
  what: readonly Expiring[];
  /** The maximum number of rows in one transaction. */
  batchSize: number;
  /** Smaller batches for large rows, so that no statement runs into its time-out. */
  batchSizes?: Partial<Record<Expiring, number>>;
  /** The maximum number of batches of one kind in one run. */
  batchesMax: number;
};
/** The number of purged rows of each kind. */
export type HousekeepingResult = Partial<Record<Expiring, number>>;

/** Activity `purgeExpired` purges one batch, the oldest rows first. Fewer rows than `rowsMax`: nothing else can be purged now. */
export type PurgeExpired = { what: Expiring; rowsMax: number };
export type PurgedBatch = { rows: number };
