import { isDeepStrictEqual } from 'node:util';
import {
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleNotFoundError,
} from '@temporalio/client';

/**
 * The values have the form in which the server returns them, so that `matches` can compare them. If a run is over ten minutes late,
 * it is skipped, since the next run does the same work.
 */
const hourly = {
  spec: { calendars: [], intervals: [{ every: 3_600_000, offset: 0 }], jitter: 300_000 },
  policies: { overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false },
} satisfies Pick<ScheduleDescription, 'spec' | 'policies'>;

type ScheduledWorkflow = { type: 'startWorkflow'; workflowType: string; taskQueue: string; args: unknown[] };

/**
 * Creates the hourly schedule of a workflow if the schedule is missing, and corrects a schedule that differs.
 * A schedule that an operator paused stays paused. Several processes may call this function at the same time.
 */
export async function ensureHourlySchedule(
  schedules: ScheduleClient,
  scheduleId: string,
  workflow: ScheduledWorkflow,
): Promise<void> {
  const wanted = { ...hourly, action: { ...workflow, workflowId: scheduleId } };
  const schedule = schedules.getHandle(scheduleId);
  try {
    if (!matches(wanted, await schedule.describe()))
      await schedule.update(({ state }) => ({ ...wanted, state }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await schedules.create({ scheduleId, ...wanted }).catch((failure: unknown) => {
      if (!(failure instanceof ScheduleAlreadyRunning)) throw failure;
    });
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
