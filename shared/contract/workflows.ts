import type {
  AssuranceLevel,
  AttemptReason,
  CheckKind,
  CheckResult,
  ConsentItem,
  DeliveryStatus,
  Environment,
  Language,
  Outcome,
  VerificationStatus,
} from './enums.ts';

/**
 * This file defines all data that Temporal receives: names, identifiers, enums and counts. Temporal receives no personal value
 * (decision 38), so nothing has to be erased in Temporal when a person is erased.
 *
 * Versions of the product share these data while they run side by side: an activity may be carried out by a worker of another
 * version, and a run that begins again keeps its input. So a change may add an optional field, and may rename or require none
 * (docs/choices/upgrades.md).
 */

export const taskQueues = {
  verifications: 'verifications',
  webhooks: 'webhooks',
  checks: 'checks',
  looks: 'looks',
  masks: 'masks',
  banks: 'banks',
} as const;
export type TaskQueues = { readonly [queue in keyof typeof taskQueues]: string };

/**
 * Returns the name of the queue for checks, derived from the name of the queue for verifications. Checks have a separate queue, so
 * that slow checks do not delay the creation of verifications.
 */
export const checksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.checks);

/** As `checksQueueBeside`. A person waits for a quick look, so it does not queue behind checks that take many seconds. */
export const looksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.looks);

/** As `checksQueueBeside`. Nobody waits for a masked copy, so no document that somebody waits for queues behind one. */
export const masksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.masks);

/** As `checksQueueBeside`. A bank can take its time, and nothing else waits for it. */
export const banksQueueBeside = (verifications: string): string =>
  verifications.replace(taskQueues.verifications, taskQueues.banks);

/** The search attributes that Temporal's UI can filter by, as typed keys of the SDK. */
export const searchAttributes = {
  orgId: { name: 'OrgId', type: 'KEYWORD' },
  environment: { name: 'Environment', type: 'KEYWORD' },
  verificationId: { name: 'VerificationId', type: 'KEYWORD' },
  verificationStatus: { name: 'VerificationStatus', type: 'KEYWORD' },
  deliveryStatus: { name: 'DeliveryStatus', type: 'KEYWORD' },
  attempt: { name: 'Attempt', type: 'INT' },
  nextAttemptAt: { name: 'NextAttemptAt', type: 'DATETIME' },
  /** The id of the key that encrypted the input. A run without this attribute was started by an older version, or by a stranger. */
  secretsKeyId: { name: 'SecretsKeyId', type: 'KEYWORD' },
} as const;

export const workflowNames = {
  verification: 'verification',
  delivery: 'delivery',
  housekeeping: 'housekeeping',
  purge: 'purge',
  signLedger: 'signLedger',
  dossier: 'dossier',
} as const;

/** The name of the header for the trace context. Temporal's own interceptors use the same name in every language. */
export const traceHeader = '_tracer-data';

/** The ids of schedules. The id of a scheduled workflow is the id of its schedule, followed by a time that the server adds. */
export const scheduleIds = { housekeeping: 'housekeeping' } as const;

export const verificationWorkflowId = (verificationId: string) => `verification/${verificationId}`;
export const dossierWorkflowId = (orderId: string) => `dossier/${orderId}`;
export const deliveryWorkflowId = (deliveryId: string) => `delivery/${deliveryId}`;
/**
 * The id of the workflow that does one part of the housekeeping. The first argument is the id of the schedule or of a workflow that it
 * started.
 */
export const housekeepingPartId = (housekeepingId: string, part: Expiring | 'ledger'): string =>
  `${housekeepingId.replace(/-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, '')}/${part}`;

/**
 * The verification that a workflow or an activity is about. Everything else is in its rows, which alone decide. So nobody can change
 * a verdict through Temporal.
 */
export type VerificationRef = { verificationId: string; orgId: string; environment: Environment };

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

/**
 * The update `start` (decision 6) says that the end user consented and pressed Start. The update resolves when the start is
 * recorded or refused.
 */
export const startUpdate = { name: 'start' } as const;

/**
 * The update `submit` says that the end user submitted all evidence. The update resolves when the submission is recorded or
 * refused. The checks and the verdict follow later.
 */
export const submitUpdate = { name: 'submit' } as const;

/**
 * The update `decline` (decision 47) says that the end user wants no photo of their face and asks for another way. The update resolves
 * when the verification is completed with that reason, or when it can change nothing.
 */
export const declineUpdate = { name: 'decline' } as const;

/**
 * The update `review` (decision 10) says that a member of the organisation decided. Its `requestId` is the id of the stored decision
 * (`store/reviews/reviews.ts`). The update resolves when the decision is carried out or refused, also on a completed verification.
 */
export const reviewUpdate = { name: 'review' } as const;

/** The id of the request that gave the command. The API has stored the command under this id (`store/verifications/commands.ts`). */
export type CommandRef = { requestId: string };

/**
 * The version of the consent text, the language in which the end user read the text, and what the end user ticked. `agreed` is absent
 * if a version with one tick took the consent.
 */
export type Consent = { version: number; language: Language; agreed?: readonly ConsentItem[] };

/** One check of a verdict. `confidence` is from 0 to 1 (decision 12). `documentId` names the document of an income check that it is about. */
export type Check = { kind: CheckKind; result: CheckResult; confidence: number; documentId?: string };
export type Decision = {
  outcome: Outcome;
  assuranceLevel: AssuranceLevel;
  /** Keys of the catalogue of reasons, never text (decision 11). */
  reasonIds: string[];
  checks: Check[];
  reviewed: boolean;
};

/**
 * The state of the row after an activity. The activity `recordVerification` writes the row, or reads the row if it exists already.
 * The activities `recordStart`, `recordSubmission` and `recordDecline` carry out a command of a caller.
 */
export type Recorded = {
  status: RecordedStatus;
  /** Milliseconds until the link expires. A time of day is not used here, because the clocks of two machines can differ. */
  linkLeftMs: number;
  /** True if the end user has submitted everything, and a verdict must follow. */
  submitted: boolean;
  /** True if the verification was cancelled. It then has no valid link. */
  cancelled?: boolean;
  /** True if a picture was handed in that nobody has looked at yet. */
  picturesDue?: true;
  /** True if a visit of the person to a bank is not over. */
  bankDue?: true;
  /** True if what was submitted is examined already. */
  examined?: true;
  /** True if there is a verdict, and the document still has to be replaced by its masked copy. */
  maskingDue?: true;
  /** True if a reviewer's decision is stored that was not carried out yet. */
  reviewDue?: true;
  /** Milliseconds until a stored decision of a reviewer is due. The member can take it back until then. */
  reviewInMs?: number;
  /**
   * The ids of the open deliveries, whose workflows the activity starts beside the workflow of the verification. The result of an activity has
   * none. Workflows of a version before start what they find here.
   */
  deliveryIds: string[];
};
export type RecordCommand = VerificationRef & CommandRef;

/**
 * The activity `recordVerdict` completes an open verification. `requestId` is the id of the command `complete`. It is null after a
 * submission.
 */
export type RecordVerdict = VerificationRef & { requestId: string | null };

/**
 * The activity `recordReview` carries out the stored decisions of reviewers about a verification that are due, in their order. `requestId` is the id
 * of the decision that an order named. It is null if the row alone says that a decision waits.
 */
export type RecordReview = VerificationRef & { requestId: string | null };

/**
 * The activity `runChecks` stores what it found. It fails if the evidence must be examined again later; a worker of the version before
 * says it with `examined`.
 */
export type Examined = { examined: boolean };

/**
 * The activity `lookAtPictures` notes what quick looks at pictures found, before Send. `accepted` means that the pictures of the
 * document are complete and no better ones are asked for, so its examination can begin.
 */
export type LookedAtReport = { accepted: boolean };

/**
 * The activity `visitBanks` asks the banks whatever is due about the visits of a person. `waitMs` is the time until the next question is due,
 * and null if no visit waits for anything.
 */
export type BanksVisited = { waitMs: number | null };

/**
 * The activity `maskDocument` replaces the pictures of the document by masked copies. It fails if it must be tried again later; a
 * worker of the version before says it with `masked`.
 */
export type MaskedReport = { masked: boolean };

export type DeliveryInput = {
  deliveryId: string;
  orgId: string;
  environment: Environment;
  verificationId: string | null;
  /** The waits between attempts, in milliseconds (decision 28). There is one attempt more than there are waits. */
  waitsMs: readonly number[];
  /** Present if the first attempt may have begun where the event was recorded. Absent for tests, resends and overdue deliveries. */
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
   * Present if the activity runs inside the workflow task. It makes no attempt, but waits for one that its process has begun, if that ends
   * soon.
   */
  onTheSpot?: true;
  /** Present if another process may have begun the attempt. The activity then waits for its outcome. */
  begun?: true;
  /** Present if the workflow was woken before its wait was over. The attempt is then made only if the row says that it is due. */
  woken?: true;
};
/**
 * The signal `wake` makes a workflow look at its row: that of a delivery, for example after a restore of the database, and that of a
 * verification, for example after a cancellation.
 */
export const wakeSignal = 'wake';
/** The answer of `attemptDelivery`. A tag field would be a change that a worker of an earlier version could not read. */
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
/** No attempt was made, because the delivery must wait for its turn (`services/attempts/turns.ts`). */
export type DeferredReport = { deferred: true; status: DeliveryStatus; waitMs: number };
/** The attempt did not end inside the workflow task. The workflow must wait for it in a regular activity, which makes it if nobody did. */
export type ElsewhereReport = { elsewhere: true };

/**
 * The kinds of data that expire, the most personal first. `policy/retention.ts` says when. `evidence` are the pictures of end users.
 * `claims` are the idempotency key and the answer of a request, the input of an unanswered request, and commands that were
 * not carried out. `webhook_secrets` are secrets that no longer sign, because the overlap after a rotation is over. `event_bodies` are
 * the bytes of sent events. `response_excerpts` are the first bytes of receivers' answers and the headers. `request_log` are whole lines of the log. `requests`
 * are whole requests. `abandoned_verifications` and `completed_verifications` are verifications with all that belongs to them.
 */
export const expiring = [
  ...(['evidence', 'claims', 'webhook_secrets', 'event_bodies', 'response_excerpts'] as const),
  ...(['request_log', 'requests'] as const),
  ...(['abandoned_verifications', 'completed_verifications'] as const),
] as const;
export type Expiring = (typeof expiring)[number];

/** The workflow `purge` purges all expired data of one kind, batch after batch. */
export type PurgeInput = {
  what: Expiring;
  /** The maximum number of rows in one transaction. */
  rowsMax: number;
  /** After so many batches the workflow continues in a new run, because a history must not grow without end. */
  batchesMax: number;
  /** The rows that earlier runs of the same workflow purged. */
  rows: number;
};
export type PurgeResult = { rows: number };

/**
 * The activity `purgeExpired` purges one batch, the oldest rows first. If a batch has fewer than `rowsMax` rows, nothing more can be
 * purged now. `held` names verifications that stay, because the ledger does not say that their time is over.
 */
export type PurgeExpired = { what: Expiring; rowsMax: number };
export type PurgedBatch = { rows: number; held?: string[] };

/**
 * The activity `signLedger` signs the ends of all chains of the ledger, once a day. `day` is null if this deployment keeps no signed
 * roots. `broken` is the number of chains that no longer hold what was signed the day before, and null if there is nothing to compare.
 */
export type LedgerSigned = { day: string | null; chains: number; broken: number | null };

/** The order of a member for a dossier. Its row says who ordered it, and takes the dossier. */
export type MakeDossier = VerificationRef & { orderId: string };

/**
 * The activity `makeDossier` makes the dossier and stores it, sealed, as the answer to its order. `no_key`: this deployment has no
 * LEDGER_KEY. `gone`: the order or the verification does not exist any more. `heads_changed`: the signed ends of the ledger are not those
 * that were signed.
 */
export type DossierMade = { state: 'made' | 'no_key' | 'gone' | 'heads_changed' };
