import { condition, defineSignal, defineUpdate } from '@temporalio/workflow';
import {
  type CommandRef,
  completeUpdate,
  createUpdate,
  declineUpdate,
  type Recorded,
  type RecordedResult,
  reviewUpdate,
  startUpdate,
  submitUpdate,
  wakeSignal,
} from '#contract/workflows.ts';

export const create = defineUpdate<RecordedResult>(createUpdate.name);
export const start = defineUpdate<RecordedResult, [CommandRef]>(startUpdate.name);
export const submit = defineUpdate<RecordedResult, [CommandRef]>(submitUpdate.name);
export const decline = defineUpdate<RecordedResult, [CommandRef]>(declineUpdate.name);
export const complete = defineUpdate<RecordedResult, [CommandRef]>(completeUpdate.name);

export const review = defineUpdate<RecordedResult, [CommandRef]>(reviewUpdate.name);

export const wake = defineSignal(wakeSignal);

/**
 * The orders that the workflow carries out. The last ones are no commands of a caller. `conclude` follows after the end user has submitted
 * everything, `mask` after the verdict about a document, `look` after the row was changed, for example by a cancellation, and `catch up`
 * if the row has a reviewer's decision that was not carried out.
 */
export type Order =
  | { name: 'start' | 'submit' | 'decline' | 'complete' | 'review'; command: CommandRef }
  | { name: 'conclude'; isExamined: boolean }
  | { name: 'mask' | 'look' | 'catch up' };

type Reached = Pick<Recorded, 'status' | 'submitted'>;

export const isOpen = ({ status }: Pick<Reached, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress';

/**
 * True if the order can no longer change anything. The caller of such an order gets the current status immediately. A reviewer decides
 * about a completed verification, so that order is never moot.
 */
const isMoot = ({ name }: Order, reached: Reached): boolean =>
  name !== 'review' && (!isOpen(reached) || (reached.submitted && name !== 'complete'));

export type Inbox = ReturnType<typeof createInbox>;

/**
 * A queue of orders. The caller of an order gets the status after the order was carried out. Callers wait for promises instead of
 * conditions, because every check of a condition is a further call into the workflow sandbox.
 */
export function createInbox() {
  let waiting: { order: Order; answer(result: RecordedResult): void }[] = [];
  let inHand: (typeof waiting)[number] | undefined;
  let reached: Reached | undefined;
  let closed = false;
  const opened = Promise.withResolvers<RecordedResult>();

  return {
    /** Resolves with the first status that is reported. */
    opened: opened.promise,

    /** Resolves when the order was carried out or can no longer change anything. */
    ask(order: Order): Promise<RecordedResult> {
      if (reached !== undefined && (closed || isMoot(order, reached)))
        return Promise.resolve({ status: reached.status });
      return new Promise((answer) => waiting.push({ order, answer }));
    },

    /** Makes the workflow look at its row, after the orders that wait already. */
    wake(): void {
      if (!waiting.some(({ order }) => order.name === 'look'))
        waiting.push({ order: { name: 'look' }, answer: () => undefined });
    },

    /** Waits for the oldest order. Returns undefined if none arrived within `withinMs`, nor later while `goesOn` says so. */
    async next(withinMs: number, goesOn: () => boolean): Promise<Order | undefined> {
      await condition(() => waiting.length > 0, withinMs, { summary: 'until the link expires' });
      await condition(() => waiting.length > 0 || !goesOn());
      inHand = waiting.shift();
      return inHand?.order;
    },

    /** Waits for a decision of a reviewer, at most for `ms`. */
    async reviewWithin(ms: number): Promise<void> {
      const isThere = () => waiting.some(({ order }) => order.name === 'review');
      await condition(isThere, ms, { summary: 'until a decision can no longer be taken back' });
    },

    /** Takes the oldest decision of a reviewer that waits. Returns undefined if none does. */
    nextReview(): Order | undefined {
      const place = waiting.findIndex(({ order }) => order.name === 'review');
      if (place === -1) return undefined;
      [inHand] = waiting.splice(place, 1);
      return inHand?.order;
    },

    /** Answers the current order, and every waiting order that can change nothing in the new state. */
    report(now: Reached): void {
      reached = now;
      opened.resolve({ status: now.status });
      const answered = waiting.filter(({ order }) => isMoot(order, now));
      waiting = waiting.filter((each) => !answered.includes(each));
      if (inHand !== undefined) answered.unshift(inHand);
      inHand = undefined;
      for (const { answer } of answered) answer({ status: now.status });
    },

    /** After this call, a command gets the current status immediately. After the end of this run, a command starts a new run. */
    close(): void {
      closed = true;
    },
  };
}
