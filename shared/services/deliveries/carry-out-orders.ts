import { newUuid } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { RestartableDelivery } from '#store/webhooks/deliveries.ts';
import {
  advanceOrderOfAnyOrganisation,
  findOpenOrdersOfAnyOrganisation,
  holdFailedOfAnyOrganisation,
  insertResendsOfAnyOrganisation,
  lockOrderOfAnyOrganisation,
  type NewResend,
  releaseHeldOfAnyOrganisation,
} from '#store/webhooks/delivery-orders.ts';
import { createPace } from '../attempts/pace.ts';
import { firstPlace } from '../portions/in-batches.ts';
import type { Sweep } from '../portions/in-passes.ts';
import { type ResendLimits, resendLimits } from './resend-failed.ts';
import { beginAtPace, type RestartContext, wake } from './restart.ts';

type Order = NonNullable<Awaited<ReturnType<typeof lockOrderOfAnyOrganisation>>>;

const batchSize = 100;
const ordersAtOnce = 100;

/**
 * Carries out one batch of each open order of members: sends failed deliveries again, or releases what waits since an endpoint was
 * paused. One transaction changes the deliveries and notes the place of the order. So whatever stops a sweep, the next one goes on, and no
 * event is sent twice by an order. The workflows start after the commit, at the pace that the system can carry; one whose start is lost
 * is overdue two minutes later.
 */
export function createOrderSweep(ctx: RestartContext, limits: ResendLimits = resendLimits): Sweep {
  const pace = createPace();
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    for (const { id } of await findOpenOrdersOfAnyOrganisation(ctx.store.db, ordersAtOnce)) {
      if (signal.aborted) break;
      const made = await ctx.store.transaction((tx) => nextBatch(tx, id, limits));
      swept.found += made.length;
      swept.failed += await beginAtPace(ctx, made, {
        pace,
        signal,
        begin: wake,
        dueBefore: () => ctx.clock.now(),
      });
    }
    return swept;
  };
}

/** Returns the deliveries of the next batch of an order, which are due now. */
async function nextBatch(tx: Db, id: string, limits: ResendLimits): Promise<RestartableDelivery[]> {
  const order = await lockOrderOfAnyOrganisation(tx, id);
  if (order === undefined) return [];
  return order.kind === 'resend' ? sendAgain(tx, order, limits) : release(tx, order);
}

/** For this time after the endpoint was resumed, an attempt that began before can still hold its delivery. */
const stragglersMs = 30_000;

async function release(tx: Db, { id, endpointId, active, pausedAt, createdAt, now }: Order) {
  const isWanted = active && pausedAt === null;
  const released = isWanted ? await releaseHeldOfAnyOrganisation(tx, endpointId, batchSize) : [];
  const isOver = released.length === 0 && now.getTime() - createdAt.getTime() > stragglersMs;
  const progress = { place: undefined, lookedAt: released.length, sent: released.length };
  await advanceOrderOfAnyOrganisation(tx, id, { ...progress, isOver: isOver || !isWanted, moreLeft: false });
  return released;
}

/**
 * A delivery stays failed after an earlier order has sent it again. So a batch can consist of deliveries that nobody wants again. The order
 * passes over them, and they do not count as sent.
 */
async function sendAgain(tx: Db, order: Order, { sends, lookedAt }: ResendLimits): Promise<NewResend[]> {
  const room = sends - order.sent;
  const failed = order.active ? await failedOf(tx, order, lookedAt) : [];
  const wanted = failed.filter(({ isWanted }) => isWanted);
  const sent = wanted.slice(0, Math.min(room, batchSize));
  const left = wanted[sent.length];
  const passed = left === undefined ? failed : failed.slice(0, failed.indexOf(left));
  const resends = sent.map((each) => resendOf(order, each));
  await insertResendsOfAnyOrganisation(tx, resends);
  const last = passed.at(-1);
  const moreLeft = left !== undefined && sent.length === room;
  await advanceOrderOfAnyOrganisation(tx, order.id, {
    place: last && { at: last.createdAt, id: last.id },
    lookedAt: passed.length,
    sent: sent.length,
    moreLeft,
    isOver: moreLeft || (left === undefined && failed.length < lookedAt),
  });
  return resends;
}

type Failed = Awaited<ReturnType<typeof holdFailedOfAnyOrganisation>>[number];

async function failedOf(tx: Db, order: Order, limit: number): Promise<Failed[]> {
  const { endpointId, createdFrom, createdBefore, placeAt, placeId } = order;
  if (createdFrom === null || createdBefore === null) return [];
  const after = placeAt === null || placeId === null ? firstPlace : { at: placeAt, id: placeId };
  return holdFailedOfAnyOrganisation(tx, { endpointId, createdFrom, createdBefore, after, limit });
}

const resendOf = (
  { id: orderId, endpointId, now }: Order,
  { orgId, environment, eventId, verificationId }: Failed,
): NewResend => ({
  ...{ id: newUuid(), trigger: 'resend', createdAt: now },
  ...{ orgId, environment, eventId, verificationId, endpointId, orderId },
});
