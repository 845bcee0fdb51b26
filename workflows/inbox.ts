import { condition, defineUpdate } from '@temporalio/workflow';
import {
  type CompleteCommand,
  completeUpdate,
  createUpdate,
  type RecordedResult,
  type RecordedStatus,
  type StartCommand,
  type SubmitCommand,
  startUpdate,
  submitUpdate,
} from '#contract/workflows.ts';

export const create = defineUpdate<RecordedResult>(createUpdate.name);
export const start = defineUpdate<RecordedResult, [StartCommand]>(startUpdate.name);
export const submit = defineUpdate<RecordedResult, [SubmitCommand]>(submitUpdate.name);
export const complete = defineUpdate<RecordedResult, [CompleteCommand]>(completeUpdate.name);

/** The commands to a verification. The workflow itself orders `conclude` after the end user has submitted everything. */
export type Order =
  | { name: 'start'; command: StartCommand }
  | { name: 'submit'; command: SubmitCommand }
  | { name: 'complete'; command: CompleteCommand }
  | { name: 'conclude' };

type Reached = { status: RecordedStatus; submitted: boolean };

export const isOpen = ({ status }: Pick<Reached, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress';

/** True if the order can change nothing any more. Its caller then gets the current status at once. */
const isMoot = ({ name }: Order, reached: Reached): boolean =>
  !isOpen(reached) || (reached.submitted && name !== 'complete');

const untilExpiry = { summary: 'until the link expires' };

export type Inbox = ReturnType<typeof createInbox>;

/**
 * Orders wait here for their turn, and each caller gets the status that its order led to. Callers wait for promises and not
 * for conditions, because each check of a condition enters the sandbox once more.
 */
export function createInbox() {
  let waiting: { order: Order; answer(result: RecordedResult): void }[] = [];
  let inHand: (typeof waiting)[number] | undefined;
  let reached: Reached | undefined;
  let closed = false;
  const opened = Promise.withResolvers<RecordedResult>();

  return {
    /** Resolves with the first state that is reported. */
    opened: opened.promise,

    /** Resolves as soon as the order was carried out, or can change nothing any more. */
    ask(order: Order): Promise<RecordedResult> {
      if (reached !== undefined && (closed || isMoot(order, reached)))
        return Promise.resolve({ status: reached.status });
      return new Promise((answer) => waiting.push({ order, answer }));
    },

    /** The oldest order that waits. Undefined if no order came in time. */
    async next(withinMs: number): Promise<Order | undefined> {
      await condition(() => waiting.length > 0, withinMs, untilExpiry);
      inHand = waiting.shift();
      return inHand?.order;
    },

    /**
     * Earlier versions started a timer here. Timers are numbered, so without this timer their histories would not replay.
     */
    waitForNothing: (withinMs: number) => condition(() => true, withinMs, untilExpiry),

    /** Answers the current order, and every order that can change nothing in the new state. */
    report(now: Reached): void {
      reached = now;
      opened.resolve({ status: now.status });
      const answered = waiting.filter(({ order }) => isMoot(order, now));
      waiting = waiting.filter((each) => !answered.includes(each));
      if (inHand !== undefined) answered.unshift(inHand);
      inHand = undefined;
      for (const { answer } of answered) answer({ status: now.status });
    },

    /** From now on, a command gets the current status at once. After this run has ended, a command starts a new run. */
    close(): void {
      closed = true;
    },
  };
}
