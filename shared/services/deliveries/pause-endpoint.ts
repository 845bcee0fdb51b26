import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { type Paused, pausedIn, pauseOf } from '#policy/pauses.ts';
import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { deliveryOrdersOf } from '#store/webhooks/delivery-orders.ts';
import { webhookEndpointsOf } from '#store/webhooks/webhook-endpoints.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { assertActive } from './assert-active.ts';

type PauseContext = Pick<Context, 'store'>;
type ById = { id: string };

/**
 * Pauses an endpoint: its deliveries wait and use up no attempt, except tests. The members and the operator pause it each for themselves,
 * and neither ends the pause of the other. Throws `webhook_not_found` or `webhook_inactive`. Nothing changes if they have paused it.
 */
export const pauseWebhook = (ctx: PauseContext, caller: Caller, { id }: ById): Promise<Paused> =>
  change(ctx, caller, { id, isPause: true });

/**
 * Ends the pause of the members, or that of the operator. If nobody else has paused it, an order makes the waiting deliveries due, which a
 * worker carries out. Other retries keep their times. Nothing changes if they have not paused it.
 */
export const resumeWebhook = (ctx: PauseContext, caller: Caller, { id }: ById): Promise<Paused> =>
  change(ctx, caller, { id, isPause: false });

async function change(
  { store }: PauseContext,
  caller: Caller,
  { id, isPause }: ById & { isPause: boolean },
): Promise<Paused> {
  assertMay(caller, 'webhooks.change');
  const { actor, scope } = caller;
  return store.transaction(async (tx) => {
    const endpoints = webhookEndpointsOf(scope, tx);
    const endpoint = await endpoints.lock(id);
    if (endpoint === undefined) throw new Problem('webhook_not_found');
    assertActive(endpoint);
    const before = pausedIn(endpoint);
    const holder = actor.kind === 'operator' ? 'byOperator' : 'byMember';
    const after = { ...before, [holder]: isPause };
    if (after[holder] === before[holder]) return after;
    const pause = pauseOf(after, endpoint.pausedAt ?? endpoint.now);
    const line = await nextLine(tx, scope, {
      ...{ subjectId: id, type: isPause ? 'webhook.paused' : 'webhook.resumed', at: endpoint.now, actor },
      data: isPause ? {} : { paused_at: endpoint.pausedAt?.toISOString() ?? null },
    });
    await writeAtOnce(tx, [endpoints.pause(id, pause), ...line]);
    if (pause.pausedAt === null) await orderRelease(tx, caller, id);
    return after;
  });
}

/** An order that is still open goes on, and releases what was held since. */
const orderRelease = (tx: Db, { actor, scope }: Caller, endpointId: string): Promise<boolean> =>
  deliveryOrdersOf(scope, tx, endpointId).insert({
    ...{ id: newUuid(), kind: 'resume', memberId: actor.kind === 'member' ? actor.id : null, expected: 0 },
    ...{ createdFrom: null, createdBefore: null },
  });
