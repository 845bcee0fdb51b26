import { expect, test } from 'vitest';
import type { RecordedResult } from '#contract/workflows.ts';
import { createInbox, type Order } from '#workflows/inbox.ts';

const review: Order = { name: 'review', command: { requestId: 'decision' } };
const complete: Order = { name: 'complete', command: { requestId: 'req_1' } };
const completed = { status: 'completed', submitted: true } as const;

/** Says what the caller of an order was told so far. */
function watched(asked: Promise<RecordedResult>) {
  const seen: { result?: RecordedResult } = {};
  void asked.then((result) => {
    seen.result = result;
  });
  return seen;
}

test('a decision that arrives at a completed verification is carried out before its caller is answered', async () => {
  const inbox = createInbox();
  inbox.report(completed);
  const caller = watched(inbox.ask(review));
  inbox.report(completed);
  await Promise.resolve();
  expect(caller).toEqual({});
  expect(inbox.nextReview()).toEqual(review);
  inbox.report(completed);
  await Promise.resolve();
  expect(caller).toEqual({ result: { status: 'completed' } });
  expect(inbox.nextReview()).toBeUndefined();
});

test('a decision that arrives before the first state waits for its turn, and other commands do not', async () => {
  const inbox = createInbox();
  const [decided, late] = [watched(inbox.ask(review)), watched(inbox.ask(complete))];
  inbox.report(completed);
  await Promise.resolve();
  expect([decided, late]).toEqual([{}, { result: { status: 'completed' } }]);
  expect(inbox.nextReview()).toEqual(review);
});
