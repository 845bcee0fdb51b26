import { isDeepStrictEqual } from 'node:util';
import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleNotFoundError,
} from '@temporalio/client';
import { hourMs, minuteMs } from '#contract/time.ts';

/**
 * The values have the form in which the server returns them, so that `matches` can compare them. If a run is over ten minutes late,
 * it is skipped, since the next run does the same work.
 */
const hourly = {
  spec: { calendars: [], intervals: [{ every: hourMs, offset: 0 }], jitter: 5 * minuteMs },
  policies: { overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false },
} satisfies Pick<ScheduleDescription, 'spec' | 'policies'>;

/** A run that hangs would stop all that follow, since two do not run at once. */
const runTimeoutMs = hourMs;

type ScheduledWorkflow = { type: 'startWorkflow'; workflowType: string; taskQueue: string; args: unknown[] };

/**
 * Creates the hourly schedule of a workflow if the schedule is missing, and corrects a schedule that differs.
 * A schedule that an operator paused stays paused. Several processes may call this function at the same time. Returns true if the
 * schedule is paused.
 */
export async function ensureHourlySchedule(
  schedules: ScheduleClient,
  scheduleId: string,
  workflow: ScheduledWorkflow,
): Promise<boolean> {
  const wanted = {
    ...hourly,
    action: { ...workflow, workflowId: scheduleId, workflowRunTimeout: runTimeoutMs },
  };
  const schedule = schedules.getHandle(scheduleId);
  try {
    const found = await schedule.describe();
    if (!matches(wanted, found)) await schedule.update(({ state }) => ({ ...wanted, state }));
    return found.state.paused;
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await schedules.create({ scheduleId, ...wanted }).catch((failure: unknown) => {
      if (!(failure instanceof ScheduleAlreadyRunning)) throw failure;
    });
    return false;
  }
}

/** Returns undefined if there is no such schedule. */
export async function isPaused(schedules: ScheduleClient, scheduleId: string): Promise<boolean | undefined> {
  try {
    return (await schedules.getHandle(scheduleId).describe()).state.paused;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

type ScheduleParts = Pick<ScheduleDescription, 'spec' | 'policies' | 'action'>;

/** Compares only the wanted settings, since the server adds settings of its own. */
const matches = (wanted: ScheduleParts, found: ScheduleParts): boolean =>
  (['spec', 'policies', 'action'] as const).every((part) =>
    Object.entries(wanted[part]).every(([name, value]) =>
      isDeepStrictEqual((found[part] as Record<string, unknown>)[name], value),
    ),
  );
