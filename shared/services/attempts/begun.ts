import { setTimeout as pause } from 'node:timers/promises';
import { type AttemptedReport, isSettled } from '#contract/workflows.ts';
import type { ClaimedDelivery } from './attempt.ts';
import type { FirstTurn, Turns } from './turns.ts';

/** A first attempt that may begin: its claim is committed, or will be before it begins. */
export type Claimed = { delivery: ClaimedDelivery; turn: FirstTurn; claimedMs: number };

/** The first attempts that this process has begun, until the workflows of their deliveries have taken the reports. */
export type Begun = {
  add(delivery: { id: string; endpointId: string }, report: Promise<AttemptedReport>): void;
  /**
   * The report of a first attempt of this process, once. After that the row says what is due. Undefined if there is none. With `soon`, undefined
   * also if the attempt does not end soon, because a workflow task must not wait for long. Rejects if the attempt could not be made.
   */
  report(deliveryId: string, when?: 'soon'): Promise<AttemptedReport | undefined>;
};

/** The workflow of a delivery asks within this time, unless its start was lost. */
const rememberedMs = 20_000;

/** How long a workflow task waits for an attempt: at a receiver that recently answered fast, and at any other. */
const patienceMs = { fast: 500, other: 100 };

/** If the workflow asks later than this after the end, the wait until the next attempt is shorter by that time. */
const noticedMs = 1_000;

type Attempt = { endpointId: string; report: Promise<AttemptedReport>; endedMs?: number };

export function createBegun({ isFast }: Pick<Turns, 'isFast'>): Begun {
  const attempts = new Map<string, Attempt>();
  return {
    add({ id, endpointId }, report) {
      const attempt: Attempt = { endpointId, report };
      attempts.set(id, attempt);
      const forget = () => void attempts.delete(id);
      const ended = () => {
        attempt.endedMs = performance.now();
        setTimeout(forget, rememberedMs).unref();
      };
      // If the attempt could not be made, the workflow of the delivery claims it again.
      report.then(ended, forget);
    },
    async report(deliveryId, when) {
      const attempt = attempts.get(deliveryId);
      if (attempt === undefined) return undefined;
      const patience = isFast(attempt.endpointId) ? patienceMs.fast : patienceMs.other;
      const report = await (when === 'soon'
        ? Promise.race([attempt.report, pause(patience, undefined, { ref: false })])
        : attempt.report);
      if (report === undefined) return undefined;
      attempts.delete(deliveryId);
      const lateMs = performance.now() - (attempt.endedMs ?? performance.now());
      return lateMs < noticedMs || isSettled(report)
        ? report
        : { ...report, waitMs: Math.max(report.waitMs - lateMs, 0) };
    },
  };
}
