import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { type AttemptReport, type RecordedStatus, searchAttributes } from '#contract/workflows.ts';

/** What an operator reads in Temporal's UI: searchable attributes, and details in words. Identifiers and counts only. */

export function showVerification(status: RecordedStatus, linkLeftMs: number, submitted: boolean): void {
  upsertSearchAttributes([{ key: searchAttributes.verificationStatus, value: status }]);
  const note =
    submitted && status === 'in_progress' ? handedIn : verificationNotes[status](inTime(linkLeftMs));
  setCurrentDetails(`**Status**: ${status}. ${note}`);
}

const handedIn = 'The end user has handed everything in; the checks are being made.';

const verificationNotes: Record<RecordedStatus, (linkExpiry: string) => string> = {
  pending: (linkExpiry) =>
    `Waiting for the end user, or for completion through the API; the link expires ${linkExpiry}.`,
  in_progress: (linkExpiry) => `The end user has started; the link expires ${linkExpiry}.`,
  completed: () => 'The verdict is recorded; deliveries run as workflows of their own.',
  abandoned: () => 'The request was not carried out within a day, so it no longer is.',
  missing: () => 'The database knows no request with this id: was it restored to an older state?',
};

export function showDelivery(report: AttemptReport, attemptsAllowed: number): void {
  const settled = isSettled(report);
  upsertSearchAttributes([
    { key: searchAttributes.deliveryStatus, value: report.status },
    { key: searchAttributes.attempt, value: report.attempts },
    { key: searchAttributes.nextAttemptAt, value: settled ? null : new Date(Date.now() + report.waitMs) },
  ]);
  const next = settled ? 'No further attempt.' : `Next attempt ${inTime(report.waitMs)}.`;
  setCurrentDetails(`**Status**: ${report.status}, after ${attemptOf(report, attemptsAllowed)}. ${next}`);
}

/** Of what waits for its turn only the details say so: searchable attributes cost more than the waiting. */
export function showDeferral({ status, waitMs }: AttemptReport): string {
  const note = `receiver busy, its other deliveries come first; next look ${inTime(waitMs)}`;
  setCurrentDetails(`**Status**: ${status}. ${note}.`);
  return note;
}

export const isSettled = ({ status }: AttemptReport): boolean =>
  status !== 'pending' && status !== 'retrying';

export const waitSummary = (report: AttemptReport, attemptsAllowed: number): string =>
  `${attemptOf(report, attemptsAllowed)}; next ${inTime(report.waitMs)}`;

function attemptOf(report: AttemptReport, attemptsAllowed: number): string {
  const result = report.responseStatus ?? report.reason;
  return `attempt ${report.attempts} of ${attemptsAllowed}${result === null ? '' : ` (${result})`}`;
}

function inTime(ms: number): string {
  return `at ${new Date(Date.now() + ms).toISOString().slice(0, 19)}Z`;
}
