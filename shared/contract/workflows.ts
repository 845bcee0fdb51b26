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
 * What crosses into Temporal: names, identifiers, enums and counts. Never a personal value (decision 38), so erasing a
 * person never needs Temporal.
 */

export const taskQueues = { verifications: 'verifications', webhooks: 'webhooks', checks: 'checks' } as const;
export type TaskQueues = { readonly [queue in keyof typeof taskQueues]: string };

/** Checks have a queue of their own, named like that of the verifications, so that a slow model holds up no create. */
export const checksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.checks);

/** What Temporal's UI can list and filter by; in the form of the SDK's typed keys. */
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

/** The header in which a trace passes through Temporal, named as by its own interceptors of any language. */
export const traceHeader = '_tracer-data';

/** Also the beginning of the ids of the workflows that a schedule starts; the server adds the time. */
export const scheduleIds = { housekeeping: 'housekeeping' } as const;

export const verificationWorkflowId = (verificationId: string) => `verification/${verificationId}`;
export const deliveryWorkflowId = (deliveryId: string) => `delivery/${deliveryId}`;

/** Sandbox carries how the verdict comes about; in live the person decides, so there is nothing to carry. */
export type SandboxPlan = { scenario: Scenario; autoComplete: boolean };

export type VerificationInput = {
  verificationId: string;
  orgId: string;
  environment: Environment;
  method: Method;
  /** Null in live. */
  sandbox: SandboxPlan | null;
};

/** `abandoned`: the claim is over a day old and may no longer be carried out. `missing`: nobody asked for this id. */
export type RecordedStatus = VerificationStatus | 'abandoned' | 'missing';

/** What both updates resolve to: where the verification stands after them. */
export type RecordedResult = { status: RecordedStatus };

/** Update `create`: resolves once the verification's row is committed. Its id is fixed, so a repeat returns the first outcome. */
export const createUpdate = { name: 'create', id: 'create' } as const;

/** Update `complete` (specification 3; decision 8): resolves once the verification is completed, by whichever command. */
export const completeUpdate = { name: 'complete' } as const;
export type CompleteCommand = {
  orgId: string;
  environment: Environment;
  scenario: Scenario | null;
  requestId: string;
};

/** Update `start` (decision 6): the person consented and pressed Start. Resolves once the row says so, or says why not. */
export const startUpdate = { name: 'start' } as const;
export type StartCommand = {
  consent: Consent;
  requestId: string;
};
/** Which text was agreed to, and in which language it was read. */
export type Consent = { version: number; language: Language };

/** Update `submit`: the person handed everything in. Resolves once the row says so; checks and verdict follow by themselves. */
export const submitUpdate = { name: 'submit' } as const;
export type SubmitCommand = { requestId: string };

/** A verdict as a workflow decides it. */
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

/** Activity `recordVerification`: writes the row as decided, or returns what is stored already. */
export type RecordVerification = VerificationRef & {
  /** The verdict with which the verification is born, or null when it stays pending. */
  decision: Decision | null;
};
export type RecordedVerification = {
  status: RecordedStatus;
  /** Milliseconds until the link expires; a duration, since clocks differ. */
  linkLeftMs: number;
  /** The person has handed everything in. Absent in histories from before there was a page to do so. */
  submitted?: boolean;
  /** Deliveries whose workflow is still to be started. */
  deliveryIds: string[];
};

/** Activity `recordStart`: what the row says after it; `linkLeftMs` as above. */
export type RecordStart = VerificationRef & StartCommand;
export type RecordedStart = { status: RecordedStatus; linkLeftMs: number };

/** Activity `recordSubmission`: false when something is lacking, or the link has expired. */
export type RecordSubmission = VerificationRef & SubmitCommand;
export type RecordedSubmission = { status: RecordedStatus; submitted: boolean; linkLeftMs: number };

/**
 * Activity `runChecks`: the checks that the method's examiner made. Results and confidences, never the text that was read. A
 * check that could not be made is left out. Null: the examination broke down and may be tried again.
 */
export type RunChecks = VerificationRef;
export type FoundChecks = Check[] | null;

/** Activity `recordVerdict`: completes an open verification; the row names the request that did, null for the person's flow. */
export type RecordVerdict = VerificationRef & { decision: Decision; requestId: string | null };
export type RecordedVerdict = {
  deliveryIds: string[];
  /** Nothing was recorded: the row knows no submission, as after a restore. Where it stands instead. */
  instead?: RecordedStart;
};

/** Activity `startDeliveries`. */
export type StartDeliveries = VerificationRef & { deliveryIds: string[] };

export type DeliveryInput = {
  deliveryId: string;
  orgId: string;
  environment: Environment;
  verificationId: string | null;
  /** Milliseconds before each attempt after the first; one attempt more than there are waits (decision 28). */
  waitsMs: readonly number[];
  /** The first attempt may be made inside the workflow task. Absent in deliveries that were started before this was. */
  onTheSpot?: true;
};
export type DeliveryResult = { status: DeliveryStatus; attempts: number };

/** Activity `attemptDelivery`: makes attempt `number`, or returns how things stand when that attempt exists. */
export type AttemptDelivery = {
  deliveryId: string;
  number: number;
  /** The schedule's wait should this attempt fail; null when it is the last. */
  waitMs: number | null;
  /** Inside the workflow task, which an attempt that takes long would hold up: only if the receiver is known to be swift. */
  onTheSpot?: true;
};
/**
 * The answer of `attemptDelivery`. No field says which of the three it is: histories hold reports from before there was a
 * union.
 */
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
/** No attempt was made: the endpoint or its organisation has its share of the worker under way. */
export type DeferredReport = { deferred: true; status: DeliveryStatus; waitMs: number };
/** No attempt was made inside the workflow task: it is to be made as an activity of its own. */
export type ElsewhereReport = { elsewhere: true };

/**
 * What is kept for a time only, how long by `policy/retention.ts`. `claims`: idempotency key and answer of a request, and the
 * input of one that was never answered, which is abandoned; `request_log`: whole lines; `event_bodies`: the bytes that were
 * sent; `response_excerpts`: the beginnings of what receivers answered; `evidence`: pictures that people handed in.
 */
export const expiring = ['claims', 'request_log', 'event_bodies', 'response_excerpts', 'evidence'] as const;
export type Expiring = (typeof expiring)[number];

export type HousekeepingInput = {
  what: readonly Expiring[];
  /** Rows of one transaction, at most. */
  batchSize: number;
  /** The same where rows are large: a batch has to be through before its statement is timed out. */
  batchSizes?: Partial<Record<Expiring, number>>;
  /** Batches of one kind in one run, at most. */
  batchesMax: number;
};
/** How many rows were purged of each kind. */
export type HousekeepingResult = Partial<Record<Expiring, number>>;

/** Activity `purgeExpired`: one batch, the oldest first. Fewer rows than `rowsMax` means that no more can be had now. */
export type PurgeExpired = { what: Expiring; rowsMax: number };
export type PurgedBatch = { rows: number };
