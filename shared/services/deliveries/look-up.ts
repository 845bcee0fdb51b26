import type { DeliveryStatus } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { uuid } from '#contract/fields.ts';
import type { ListQuery } from '#contract/list.ts';
import { type DeliveryRow, deliveriesOf, deliveryInFull } from '#store/webhooks/deliveries.ts';
import { answersOf } from '../attempts/answers.ts';
import { openHeads } from '../attempts/heads.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Page, pageOf } from '../portions/page.ts';

export type { DeliveryRow };

type Wanted = ListQuery & {
  status?: DeliveryStatus | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
};

/** The deliveries to an endpoint of the organisation that match, newest first. Whoever calls this has found the endpoint. */
export async function searchDeliveries(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: endpointId, status, createdFrom, createdBefore, ...query }: Wanted & { id: string },
): Promise<Page<DeliveryRow>> {
  assertMay(caller, 'webhooks.see');
  const { find, newest } = deliveriesOf(caller.scope, store.db, endpointId);
  const wanted = { status, createdFrom, createdBefore };
  return pageOf({ find, newest: (page) => newest({ ...page, ...wanted }) }, query, (row: DeliveryRow) => row);
}

export type DeliveryInFull = Awaited<ReturnType<typeof findDelivery>>;

/**
 * One delivery of the organisation with its attempts, and with what was sent and answered if the caller may see it. Throws
 * `delivery_not_found`.
 */
export async function findDelivery(
  { store, secrets }: Pick<Context, 'store' | 'secrets'>,
  caller: Caller,
  { id }: { id: string },
) {
  assertMay(caller, 'webhooks.see');
  const withContents = caller.rights.has('webhooks.contents');
  const found = uuid.safeParse(id).success ? await deliveryInFull(caller.scope, store.db, id) : undefined;
  if (found === undefined) throw new Problem('delivery_not_found');
  const { body, ...delivery } = found;
  const attempts = (await answersOf({ store, secrets }, id)) ?? [];
  return {
    ...delivery,
    /** True if housekeeping has not removed the body, so that it can be sent again. */
    hasBody: body !== null,
    /** Null if the caller may not see it, or if it was removed. */
    body: withContents ? body : null,
    attempts: attempts.map(({ heads, answer, ...attempt }) => ({
      ...attempt,
      answer: withContents ? answer : null,
      heads: withContents ? openHeads({ secrets }, delivery, { ...attempt, heads }) : undefined,
    })),
  };
}
