import { allHandlersFinished, condition, setHandler } from '@temporalio/workflow';
import type { Recorded, RecordedResult, VerificationRef } from '#contract/workflows.ts';
import {
  examine,
  mask,
  recordDecline,
  recordReview,
  recordStart,
  recordSubmission,
  recordVerdict,
  recordVerification,
  startDeliveries,
} from './activities.ts';
import {
  complete,
  create,
  createInbox,
  decline,
  type Inbox,
  isOpen,
  type Order,
  review,
  start,
  submit,
  wake,
} from './inbox.ts';
import { showVerification } from './operator-view.ts';

/**
 * The workflow of one verification (specification 3). The first step writes the row. If the run replaces a lost run, the first step
 * reads the row instead. Therefore any command may start a new run at any time (decision 36). Then the workflow carries out one
 * order after the other, as long as the verification is open and its link is valid. A cancellation ends the run. A reviewer's decision
 * about a completed verification starts a run, which carries it out and ends. The rows decide what an order does, and the workflow
 * decides when.
 */
export async function verification(ref: VerificationRef): Promise<RecordedResult> {
  const inbox = createInbox();
  receiveCommands(inbox);

  let reached = await recordVerification(ref);
  await show(ref, inbox, reached);
  for (;;) {
    const order = isOpen(reached) ? await nextOrder(inbox, reached) : nextReview(inbox, reached);
    if (order === undefined) break;
    reached = await carryOut(ref, order);
    await show(ref, inbox, reached);
  }

  inbox.close();
  await condition(allHandlersFinished);
  return { status: reached.status };
}

/** After a submission, the verdict comes before any other order. */
const nextOrder = async (inbox: Inbox, { submitted, linkLeftMs }: Recorded): Promise<Order | undefined> =>
  submitted ? conclude : inbox.next(linkLeftMs);

/** A decision may be stored although its order was lost. */
const nextReview = (inbox: Inbox, { reviewDue }: Recorded): Order | undefined =>
  inbox.nextReview() ?? (reviewDue ? catchUp : undefined);

function receiveCommands(inbox: Inbox): void {
  setHandler(create, () => inbox.opened);
  setHandler(start, (command) => inbox.ask({ name: 'start', command }));
  setHandler(submit, (command) => inbox.ask({ name: 'submit', command }));
  setHandler(wake, () => inbox.wake());
  setHandler(decline, (command) => inbox.ask({ name: 'decline', command }));
  setHandler(complete, (command) => inbox.ask({ name: 'complete', command }));
  setHandler(review, (command) => inbox.ask({ name: 'review', command }));
}

/** Tells operators and callers the new state, and starts the deliveries that it brought. */
async function show(ref: VerificationRef, inbox: Inbox, reached: Recorded): Promise<void> {
  showVerification(reached);
  inbox.report(reached);
  const { deliveryIds } = reached;
  if (deliveryIds.length > 0) await startDeliveries({ ...ref, deliveryIds });
}

const conclude: Order = { name: 'conclude' };
const catchUp: Order = { name: 'catch up' };

async function carryOut(ref: VerificationRef, order: Order): Promise<Recorded> {
  switch (order.name) {
    case 'start':
      return recordStart({ ...ref, ...order.command });
    case 'submit':
      return recordSubmission({ ...ref, ...order.command });
    case 'decline':
      return recordDecline({ ...ref, ...order.command });
    case 'complete':
      return recordVerdict({ ...ref, ...order.command });
    case 'review':
      return recordReview({ ...ref, ...order.command });
    case 'catch up':
      return recordReview({ ...ref, requestId: null });
    case 'look':
      return recordVerification(ref);
    case 'conclude':
      // In sandbox, the scenario of the row decides and nothing is examined.
      // The checks are stored before the masking begins, so they do not depend on it. After the verdict no original is left.
      if (ref.environment === 'live') await examine(ref);
      if (ref.environment === 'live') await mask(ref);
      return recordVerdict({ ...ref, requestId: null });
  }
}
