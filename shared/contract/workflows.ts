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
 * This file defines all data that Temporal receives: names, identifiers, enums and counts. Temporal receives no personal value
 * (decision 38), so nothing has to be erased in Temporal when a person is erased.
 */

export const taskQueues = { verifications: 'verifications', webhooks: 'webhooks', checks: 'checks' } as const;
export type TaskQueues = { readonly [queue in keyof typeof taskQueues]: string };

/**
 * Returns the name of the queue for checks, derived from the name of the queue for verifications. Checks have a separate queue, so
 * that slow checks do not delay the creation of verifications.
 */
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

/** The name of the header for the trace context. Temporal's own interceptors use the same name in every language. */
export const traceHeader = '_tracer-data';

/** The ids of schedules. The id of a scheduled workflow is the id of its schedule, followed by a time that the server adds. */
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
  /** Null in the environment `live`. */
  sandbox: SandboxPlan | null;
};

/**
 * `abandoned` means that the claim is over a day old and must not be carried out any more. `missing` means that the row of the
 * request or of the verification does not exist.
 */
export type RecordedStatus = VerificationStatus | 'abandoned' | 'missing';

/** The answer of every update. `status` is the status of the verification after the update. */
export type RecordedResult = { status: RecordedStatus };

/**
 * The update `create` resolves when the verification's row is committed, or when the workflow finds that it must not write the row.
 * The id of the update is fixed, so a repeated update returns the first outcome.
 */
export const createUpdate = { name: 'create', id: 'create' } as const;

/**
 * The update `complete` (specification 3; decision 8) resolves when the command was carried out, or when it can change nothing, for
 * example because the verification is already completed.
 */
export const completeUpdate = { name: 'complete' } as const;
export type CompleteCommand = {
  orgId: string;
  environment: Environment;
  scenario: Scenario | null;
  requestId: string;
};

/**
 * The update `start` (decision 6) says that the end user consented and pressed Start. The update resolves when the start is
 * recorded or refused.
 */
export const startUpdate = { name: 'start' } as const;
export type StartCommand = {
  consent: Consent;
  requestId: string;
};
/** The version of the consent text, and the language in which the end user read the text. */
export type Consent = { version: number; language: Language };

/**
 * The update `submit` says that the end user submitted all evidence. The update resolves when the submission is recorded or
 * refused. The checks and the verdict follow later.
 */
export const submitUpdate = { name: 'submit' } as const;
export type SubmitCommand = { requestId: string };

/** One check of a verdict. `confidence` is from 0 to 1 (decision 12). */
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

/** The activity `recordVerification` writes the row. If the row exists already, the activity returns the state of the row. */
export type RecordVerification = VerificationRef & {
  /** The verdict of a verification that is completed at its creation. Null if the verification stays pending. */
  decision: Decision | null;
};
export type RecordedVerification = {
  status: RecordedStatus;
  /** Milliseconds until the link expires. A time of day is not used here, because the clocks of two machines can differ. */
  linkLeftMs: number;
  /**
   * True if the end user has submitted everything. Absent if no stored verification was read, and in workflow histories that are
   * older than the hosted page.
   */
  submitted?: boolean;
  /** The ids of the open deliveries whose workflows must still be started. The workflow of the verification starts them. */
  deliveryIds: string[];
};

/** The activity `recordStart` records the start if it is allowed, and returns the state of the row afterwards. */
export type RecordStart = VerificationRef & StartCommand;
export type RecordedStart = { status: RecordedStatus; linkLeftMs: number };

/**
 * The activity `recordSubmission` records the submission if it is allowed, and returns the state of the row afterwards. `submitted`
 * is true if the row then has a submission, and false if not, for example because evidence is missing.
 */
export type RecordSubmission = VerificationRef & SubmitCommand;
export type RecordedSubmission = { status: RecordedStatus; submitted: boolean; linkLeftMs: number };

/**
 * The activity `runChecks` returns results and confidences, never the text that was read. The list is empty if there is nothing to
 * examine. Null means that the examination failed and may be tried again.
 */
export type RunChecks = VerificationRef;
export type FoundChecks = Check[] | null;

/**
 * The activity `recordVerdict` completes an open verification. `requestId` is the id of the API request. It is null in the hosted
 * flow.
 */
export type RecordVerdict = VerificationRef & { decision: Decision; requestId: string | null };
export type RecordedVerdict = {
  deliveryIds: string[];
  /**
   * The state of the row, if no verdict was recorded. In that case the row has no submission, for example after a restore of the
   * database, or the decision was refused as forged.
   */
  instead?: RecordedStart;
};

export type StartDeliveries = VerificationRef & { deliveryIds: string[] };

export type DeliveryInput = {
  deliveryId: string;
  orgId: string;
  environment: Environment;
  verificationId: string | null;
  /** The waits between attempts, in milliseconds (decision 28). There is one attempt more than there are waits. */
  waitsMs: readonly number[];
  /**
   * Present if the first attempt may be made inside the workflow task. Absent for tests, resends and overdue deliveries, and in
   * older histories.
   */
  onTheSpot?: true;
};
export type DeliveryResult = { status: DeliveryStatus; attempts: number };

/**
 * The activity `attemptDelivery` makes the attempt `number`. If that attempt cannot be claimed, for example because it exists
 * already, the activity returns the state of the delivery.
 */
export type AttemptDelivery = {
  deliveryId: string;
  number: number;
  /** The wait in milliseconds that the schedule sets if this attempt fails. Null for the last attempt. */
  waitMs: number | null;
  /**
   * Present if the activity may make the attempt inside the workflow task. It does so only if the receiver is known to be fast,
   * since a slow receiver would block the task.
   */
  onTheSpot?: true;
  /** Present if the workflow was woken before its wait was over. The attempt is then made only if the row says that it is due. */
  woken?: true;
};
/** The signal `wake` makes the workflow of a delivery look at its row, for example after a restore of the database. */
export const wakeSignal = 'wake';
/**
 * The answer of `attemptDelivery`. The three types have no common tag field, because the reports in older histories have no tag.
 */
export type AttemptReport = AttemptedReport | DeferredReport | ElsewhereReport;
export type AttemptedReport = {
  status: DeliveryStatus;
  /** Attempts made so far. */
  attempts: number;
  /** Milliseconds until the next step is due. 0 if the delivery has ended. */
  waitMs: number;
  responseStatus: number | null;
  reason: AttemptReason | null;
};
export const isSettled = ({ status }: Pick<AttemptedReport, 'status'>): boolean =>
  status !== 'pending' && status !== 'retrying';
/** No attempt was made, because the delivery must wait for its turn (`services/deliveries/turns.ts`). */
export type DeferredReport = { deferred: true; status: DeliveryStatus; waitMs: number };
/** No attempt was made inside the workflow task. The workflow must make the attempt as a regular activity. */
export type ElsewhereReport = { elsewhere: true };

/**
 * The kinds of data that expire. `policy/retention.ts` says when. `claims` are the idempotency key and the answer of a request, and
 * the input of an unanswered request. `request_log` are whole lines of the log. `event_bodies` are the bytes of sent events.
 * `response_excerpts` are the first bytes of receivers' answers. `evidence` are the pictures of end users.
 */
export const expiring = ['claims', 'request_log', 'event_bodies', 'response_excerpts', 'evidence'] as const;
export type Expiring = (typeof expiring)[number];

export type HousekeepingInput = {
  what: readonly Expiring[];
  /** The maximum number of rows in one transaction. */
  batchSize: number;
  /** Smaller batch sizes for kinds with large rows, so that no statement exceeds its time-out. */
  batchSizes?: Partial<Record<Expiring, number>>;
  /** The maximum number of batches of one kind in one run. */
  batchesMax: number;
};
/** The number of purged rows of each kind. */
export type HousekeepingResult = Partial<Record<Expiring, number>>;

/**
 * The activity `purgeExpired` purges one batch, the oldest rows first. If a batch has fewer than `rowsMax` rows, it is the last
 * batch of this kind in the run.
 */
export type PurgeExpired = { what: Expiring; rowsMax: number };
export type PurgedBatch = { rows: number };
