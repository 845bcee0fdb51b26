import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto.ts';
import { type Paused, pausedIn, pauseOf } from '#policy/pauses.ts';
import type { Db } from '#store/connection.ts';
import { deliveryOrdersOf } from '#store/delivery-orders.ts';
import { type OrgScope, scopeOfOperator } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { endpointOfAnyOrganisation, webhookEndpointsOf } from '#store/webhook-endpoints.ts';
import type { Context, Member } from '../context.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { assertActive } from './assert-active.ts';

type PauseContext = Pick<Context, 'store'> & { scope: OrgScope };

type Order = { isPause: boolean; actor: Actor };
type Operator = Extract<Actor, { kind: 'operator' }>;

/**
 * Pauses an endpoint: its deliveries wait and use up no attempt, except tests. Throws `webhook_not_found` or `webhook_inactive`. Nothing
 * changes if a member has paused it.
 */
export const pauseWebhook = (ctx: PauseContext, { id: memberId }: Member, id: string): Promise<Paused> =>
  carryOut(ctx, id, { isPause: true, actor: { kind: 'member', id: memberId } });

/**
 * Ends the pause of the members. If the operator has not paused it too, an order makes the waiting deliveries due, which a worker carries
 * out. Other retries keep their times. Nothing changes if no member has paused it.
 */
export const resumeWebhook = (ctx: PauseContext, { id: memberId }: Member, id: string): Promise<Paused> =>
  carryOut(ctx, id, { isPause: false, actor: { kind: 'member', id: memberId } });

/**
 * Pauses an endpoint of any organisation, or of the one with `orgId`, or ends that pause. Members cannot end it, and it does not end theirs.
 * Throws `webhook_not_found` or `webhook_inactive`.
 */
export async function pauseByOperator(
  { store }: Pick<Context, 'store'>,
  { id, orgId }: { id: string; orgId?: string },
  { isPause, actor = { kind: 'operator' } }: { isPause: boolean; actor?: Operator },
): Promise<Paused> {
  const found = await endpointOfAnyOrganisation(store.db, id);
  if (found === undefined || (orgId ?? found.orgId) !== found.orgId) throw new Problem('webhook_not_found');
  const scope = scopeOfOperator({ orgId: found.orgId, environment: 'live' });
  return carryOut({ store, scope }, id, { isPause, actor });
}

const carryOut = ({ store, scope }: PauseContext, id: string, { isPause, actor }: Order): Promise<Paused> =>
  store.transaction(async (tx) => {
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
    if (pause.pausedAt === null) await orderRelease(tx, scope, id, actor);
    return after;
  });

/** An order that is still open goes on, and releases what was held since. */
const orderRelease = (tx: Db, scope: OrgScope, endpointId: string, actor: Actor): Promise<boolean> =>
  deliveryOrdersOf(scope, tx, endpointId).insert({
    ...{ id: newUuid(), kind: 'resume', memberId: actor.kind === 'member' ? actor.id : null, expected: 0 },
    ...{ createdFrom: null, createdBefore: null },
  });
