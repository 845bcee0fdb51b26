import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import {
  type AttemptedReport,
  type DeferredReport,
  isSettled,
  type Recorded,
  type RecordedStatus,
  searchAttributes,
} from '#contract/workflows.ts';

/**
 * The texts and search attributes that an operator sees in Temporal's UI. They contain identifiers, enums, counts and times, but no
 * personal data.
 */

type Verification = Pick<Recorded, 'status' | 'linkLeftMs' | 'submitted' | 'cancelled' | 'maskingDue'>;

export function showVerification(reached: Verification): void {
  const { status } = reached;
  const { verificationStatus: key } = searchAttributes;
  // An update is an event of the history and a write of the index.
  if (workflowInfo().typedSearchAttributes.get(key) !== status)
    upsertSearchAttributes([{ key, value: status }]);
  setCurrentDetails(`**Status**: ${status}. ${noteOf(reached)}`);
}

function noteOf({ status, linkLeftMs, submitted, cancelled, maskingDue }: Verification): string {
  if (maskingDue) return copyIsMade;
  if (cancelled && status !== 'completed') return isCancelled;
  if (submitted && status === 'in_progress') return checksRun;
  return verificationNotes[status](inTime(linkLeftMs));
}

const isCancelled = 'It is cancelled: its link opens nothing, and a fresh link revives it.';
const copyIsMade = 'The verdict is recorded; the masked copy of the document is being made.';
const checksRun = 'The end user has submitted everything; the checks are running.';

const verificationNotes: Record<RecordedStatus, (linkExpiry: string) => string> = {
  pending: (linkExpiry) =>
    `Waiting for the end user, or for completion through the API; the link expires ${linkExpiry}.`,
  in_progress: (linkExpiry) => `The end user has started; the link expires ${linkExpiry}.`,
  completed: () => 'The verdict is recorded; deliveries run as workflows of their own.',
  abandoned: () => 'The request was not carried out within a day, so it no longer is.',
  missing: () => 'The database knows no request with this id: was it restored to an older state?',
};

export function showDelivery(report: AttemptedReport, attemptsAllowed: number): void {
  const settled = isSettled(report);
  upsertSearchAttributes([
    { key: searchAttributes.deliveryStatus, value: report.status },
    { key: searchAttributes.attempt, value: report.attempts },
    { key: searchAttributes.nextAttemptAt, value: settled ? null : new Date(Date.now() + report.waitMs) },
  ]);
  const next = settled ? 'No further attempt.' : `Next attempt ${inTime(report.waitMs)}.`;
  setCurrentDetails(`**Status**: ${report.status}, after ${attemptOf(report, attemptsAllowed)}. ${next}`);
}

/** A deferral changes only the details. An update of the search attributes would cost the server more than the wait itself. */
export function showDeferral({ status, waitMs }: DeferredReport): string {
  const note = `receiver busy, its other deliveries come first; next look ${inTime(waitMs)}`;
  setCurrentDetails(`**Status**: ${status}. ${note}.`);
  return note;
}

export const waitSummary = (report: AttemptedReport, attemptsAllowed: number): string =>
  `${attemptOf(report, attemptsAllowed)}; next ${inTime(report.waitMs)}`;

function attemptOf(report: AttemptedReport, attemptsAllowed: number): string {
  const result = report.responseStatus ?? report.reason;
  return `attempt ${report.attempts} of ${attemptsAllowed}${result === null ? '' : ` (${result})`}`;
}

function inTime(ms: number): string {
  return `at ${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
}
