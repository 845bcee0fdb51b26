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
import { followPictures, type Pictures } from './pictures.ts';
import { followVisits, type Visits } from './visits.ts';

/**
 * The workflow of one verification (specification 3). The first step writes the row. If the run replaces a lost run, the first step
 * reads the row instead. Therefore any command may start a new run at any time (decision 36). Then the workflow carries out one
 * order after the other, as long as the verification is open and its link is valid. A cancellation ends the run. After the verdict the
 * document is masked, for which nobody waits. A reviewer's decision about a completed verification starts a run, which carries it out
 * and ends. Pictures are looked at and banks are asked meanwhile, and what a bank confirmed is found in the row.
 * The rows decide what an order does, and the workflow decides when.
 */
export async function verification(ref: VerificationRef): Promise<RecordedResult> {
  const inbox = createInbox();
  const pictures = followPictures(ref);
  const visits = followVisits(ref, inbox);
  receiveCommands(inbox);

  let reached = await recordVerification(ref);
  show(inbox, reached);
  for (;;) {
    pictures.follow(reached);
    visits.follow(reached);
    const order = isOpen(reached)
      ? await nextOrder(inbox, visits, reached)
      : await nextAfterVerdict(inbox, reached);
    if (order === undefined) break;
    reached = await carryOut(ref, order, pictures);
    show(inbox, reached);
  }

  inbox.close();
  await condition(allHandlersFinished);
  return { status: reached.status };
}

/**
 * After a submission, the verdict comes before any other order. A person who is at a bank when the link expires may still be confirmed, so
 * the run waits for that.
 */
const nextOrder = async (
  inbox: Inbox,
  visits: Visits,
  { submitted, linkLeftMs, examined }: Recorded,
): Promise<Order | undefined> =>
  submitted
    ? { name: 'conclude', isExamined: examined === true }
    : inbox.next(linkLeftMs, visits.areFollowed);

/**
 * The copy comes first, because reviewers see nothing else. A decision may be stored although its order was lost. While its member can take
 * it back, the run waits.
 */
async function nextAfterVerdict(
  inbox: Inbox,
  { maskingDue, reviewDue, reviewInMs }: Recorded,
): Promise<Order | undefined> {
  if (maskingDue) return { name: 'mask' };
  if (reviewInMs !== undefined) await inbox.reviewWithin(reviewInMs);
  const isStored = reviewDue === true || reviewInMs !== undefined;
  return inbox.nextReview() ?? (isStored ? { name: 'catch up' } : undefined);
}

function receiveCommands(inbox: Inbox): void {
  setHandler(create, () => inbox.opened);
  setHandler(start, (command) => inbox.ask({ name: 'start', command }));
  setHandler(submit, (command) => inbox.ask({ name: 'submit', command }));
  setHandler(wake, () => inbox.wake());
  setHandler(decline, (command) => inbox.ask({ name: 'decline', command }));
  setHandler(complete, (command) => inbox.ask({ name: 'complete', command }));
  setHandler(review, (command) => inbox.ask({ name: 'review', command }));
}

/** Tells operators and callers the new state. */
function show(inbox: Inbox, reached: Recorded): void {
  showVerification(reached);
  inbox.report(reached);
}

async function carryOut(ref: VerificationRef, order: Order, pictures: Pictures): Promise<Recorded> {
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
      if (ref.environment === 'live' && !order.isExamined) {
        await pictures.examined();
        await examine(ref);
      }
      return recordVerdict({ ...ref, requestId: null });
    case 'mask':
      return afterMasking(ref);
  }
}

/** The activity has masked or deleted the document by then. So the document is never due twice in one run, whatever a row says. */
async function afterMasking(ref: VerificationRef): Promise<Recorded> {
  await mask(ref);
  const { maskingDue: _, ...reached } = await recordVerification(ref);
  return reached;
}
