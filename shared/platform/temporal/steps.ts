import type { Client } from '@temporalio/client';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { before } from './deadline.ts';

type Histories = Client['workflowService']['getWorkflowExecutionHistory'];
type Event = NonNullable<NonNullable<Awaited<ReturnType<Histories>>['history']>['events']>[number];

const timeoutMs = 2_000;
/** A verification has a few runs. The limits are for one that somebody reset again and again. */
const runsMax = 10;
const eventsMax = 500;

export type StepKind =
  | ('run_started' | 'run_completed' | 'run_failed' | 'run_timed_out' | 'run_terminated' | 'task_failed')
  | ('order_accepted' | 'order_carried_out' | 'woken' | 'wait_started' | 'wait_over')
  | (
      | 'activity_scheduled'
      | 'activity_started'
      | 'activity_completed'
      | 'activity_failed'
      | 'activity_timed_out'
    )
  | 'activity_in_task';

/**
 * One step of the workflow of a verification, as Temporal recorded it. `name` is that of the activity or of the order, and never a
 * value. `attempt` counts the attempts of an activity, from 1.
 */
export type WorkflowStep = {
  at: Date;
  runId: string;
  kind: StepKind;
  name: string | null;
  attempt: number | null;
};

/**
 * The steps of all runs of a verification's workflow, oldest first. Temporal keeps a run for some days after its end, so the list is
 * empty later. If Temporal does not answer, throws `Unavailable`.
 */
export const workflowSteps = (client: Client, verificationId: string): Promise<WorkflowStep[]> =>
  before(client, Date.now() + timeoutMs, async () => {
    const runs = await runsOf(client, verificationWorkflowId(verificationId));
    const steps = await Promise.all(runs.map((run) => stepsOf(client, run)));
    return steps.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
  });

type Run = { workflowId: string; runId: string };

async function runsOf(client: Client, workflowId: string): Promise<Run[]> {
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query: `WorkflowId = '${workflowId}'`,
    pageSize: runsMax,
  });
  return executions.map(({ execution }) => ({ workflowId, runId: execution?.runId ?? '' }));
}

/** The client's own `fetchHistory` would decode all values, and a stranger may have added a value that cannot be decoded. */
async function stepsOf(client: Client, execution: Run): Promise<WorkflowStep[]> {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution,
    maximumPageSize: eventsMax,
  });
  const events = history?.events ?? [];
  const namesByEvent = new Map(events.map((event) => [String(event.eventId), nameIn(event)]));
  return events.flatMap((event) => {
    const kind = kindOf(event);
    if (kind === undefined) return [];
    const name = nameIn(event) ?? namesByEvent.get(String(causeOf(event))) ?? null;
    return [{ at: timeOf(event), runId: execution.runId, kind, name, attempt: attemptIn(event) }];
  });
}

/** Tasks of the workflow and its search attributes are Temporal's own work and no step of the verification. */
const kinds: { [Attributes in keyof Event]?: StepKind } = {
  workflowExecutionStartedEventAttributes: 'run_started',
  workflowExecutionCompletedEventAttributes: 'run_completed',
  workflowExecutionFailedEventAttributes: 'run_failed',
  workflowExecutionTimedOutEventAttributes: 'run_timed_out',
  workflowExecutionTerminatedEventAttributes: 'run_terminated',
  workflowTaskFailedEventAttributes: 'task_failed',
  workflowExecutionUpdateAcceptedEventAttributes: 'order_accepted',
  workflowExecutionUpdateCompletedEventAttributes: 'order_carried_out',
  workflowExecutionSignaledEventAttributes: 'woken',
  timerStartedEventAttributes: 'wait_started',
  timerFiredEventAttributes: 'wait_over',
  activityTaskScheduledEventAttributes: 'activity_scheduled',
  activityTaskStartedEventAttributes: 'activity_started',
  activityTaskCompletedEventAttributes: 'activity_completed',
  activityTaskFailedEventAttributes: 'activity_failed',
  activityTaskTimedOutEventAttributes: 'activity_timed_out',
  markerRecordedEventAttributes: 'activity_in_task',
};

const kindOf = (event: Event): StepKind | undefined =>
  Object.entries(kinds).find(([attributes]) => event[attributes as keyof Event])?.[1];

const nameIn = (event: Event): string | undefined =>
  event.activityTaskScheduledEventAttributes?.activityType?.name ??
  event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name ??
  localActivityIn(event)?.activity_type ??
  undefined;

/** The event that has the name of the activity or of the order that this event continues. */
const causeOf = (event: Event) =>
  event.activityTaskStartedEventAttributes?.scheduledEventId ??
  event.activityTaskCompletedEventAttributes?.scheduledEventId ??
  event.activityTaskFailedEventAttributes?.scheduledEventId ??
  event.activityTaskTimedOutEventAttributes?.scheduledEventId ??
  event.workflowExecutionUpdateCompletedEventAttributes?.acceptedEventId;

const attemptIn = (event: Event): number | null =>
  event.activityTaskStartedEventAttributes?.attempt ?? localActivityIn(event)?.attempt ?? null;

type LocalActivity = { activity_type: string; attempt: number };

/** The SDK writes what it needs to know of a local activity beside the result, which alone is encrypted. */
function localActivityIn({ markerRecordedEventAttributes: marker }: Event): LocalActivity | undefined {
  const payload = marker?.details?.data?.payloads?.[0];
  if (Buffer.from(payload?.metadata?.encoding ?? []).toString() !== 'json/plain') return undefined;
  return JSON.parse(Buffer.from(payload?.data ?? []).toString());
}

const timeOf = ({ eventTime }: Event): Date =>
  new Date(Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1e6));
