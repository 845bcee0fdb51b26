import type { EidStatus } from '#contract/eid.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '#contract/time.ts';

/** A person has this time at the bank. The scheme permits no more. */
export const bankTimeMs = 5 * minuteMs;

/** If an acquirer was asked to begin and gave no answer for this time, it has begun nothing that a person could use. */
export const beginLostMs = minuteMs;

/** A transaction that nobody came back from is asked for after its end, so that the answer is the last one. */
export const askAfterEndMs = 10 * secondMs;

/** After this time without an answer, nobody expects one any more, and the person may choose a bank again. */
const silenceMs = minuteMs;

/** A person can be sent to a bank so often through one link. */
export const transactionsMax = 20;

/** The first waits. The bank usually has the answer by then. */
const soonMs = [2, 5, 10, 30].map((seconds) => seconds * secondMs);

/** For so long after its end, an answer about a visit can be used: its conditions are over then. */
const usableMs = 10 * minuteMs;

/** The longest wait. */

/**
 * The wait after this many questions for the result of one visit, in milliseconds. While an answer can still be used, nobody waits longer
 * than a minute for it. After that the waits grow with the time, to an hour.
 */
export function nextAskMs(asks: number, sinceEndMs: number): number {
  const soon = soonMs[Math.max(asks, 1) - 1];
  if (soon !== undefined) return soon;
  return sinceEndMs < usableMs ? minuteMs : Math.min(sinceEndMs / 2, hourMs);
}

/** True if no answer is expected any more. */
export const isGivenUp = ({ createdAt }: { createdAt: Date }, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > dayMs;

type Stage = { status: EidStatus; endsAt: Date };

/** True while the person is at the bank, or soon will be. Nothing else can be begun then, so a double click begins once. */
export const isUnderWay = ({ status, endsAt }: Stage, now: Date): boolean =>
  (status === 'wanted' || status === 'asked' || status === 'open') &&
  now.getTime() < endsAt.getTime() + silenceMs;
