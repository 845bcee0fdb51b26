import { expect } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import type { Harness } from '../harness.ts';

/** The status of the newest run of a verification's workflow, such as RUNNING. */
export async function runStatus({ temporal }: Pick<Harness, 'temporal'>, id: string): Promise<string> {
  const { status } = await temporal.workflow.getHandle(verificationWorkflowId(id)).describe();
  return status.name;
}

/** Likewise, or `none` if no run was ever started, or if Temporal forgot it. */
export const runStatusOrNone = (harness: Pick<Harness, 'temporal'>, id: string): Promise<string> =>
  runStatus(harness, id).catch(() => 'none');

/** The timers that the run of a verification has set so far, in seconds. */
export async function timersOf({ temporal }: Pick<Harness, 'temporal'>, id: string): Promise<number[]> {
  const { events } = await temporal.workflow.getHandle(verificationWorkflowId(id)).fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
  );
}

/** Waits until the run of a verification has ended by itself. */
export const runEnds = (harness: Pick<Harness, 'temporal'>, id: string) =>
  expect.poll(() => runStatus(harness, id), { timeout: 20_000 }).toBe('COMPLETED');
