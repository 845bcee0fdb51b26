import { listResendOrders, type OrderRow } from '#services/deliveries/resend-failed.ts';
import { html, type Markup, type Value } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';
import { spanInWords } from '../../values/days.ts';
import type { FoundEndpoint } from './find-endpoint.ts';

/** The newest orders to send failed deliveries again, and how far each is. Null if there is none. */
export async function resendOrders(
  request: MemberRequest,
  { endpoint }: FoundEndpoint,
): Promise<Markup | null> {
  const { ctx, callers, text } = request;
  const t = text.webhookActions.failed;
  const orders = await listResendOrders(ctx, callers.live, endpoint);
  if (orders.length === 0) return null;
  return html`
    <h2>${t.orders}</h2>
    ${table(
      { label: t.orders, columns: [t.asked, t.days, t.progress, t.state] },
      orders.map((order) => ({ cells: cellsOf(request, order) })),
    )}
    ${orders.some(({ endedAt, open }) => endedAt === null || open > 0) ? html`<p><a href=${`/webhooks/${endpoint.id}`}>${t.refresh}</a></p>` : null}
  `;
}

function cellsOf(request: MemberRequest, order: OrderRow): Value[] {
  const t = request.text.webhookActions.failed;
  const { sent, moreLeft, endedAt, arrived, failed, open } = order;
  const expected = Math.max(order.expected, sent, 1);
  // The deliveries of an order from before the upgrade do not name it.
  const isKnown = arrived + failed + open === sent;
  const state = moreLeft ? t.moreLeft : t.done;
  return [
    when(request, order.createdAt),
    spanInWords(request, order.createdFrom, order.createdBefore),
    html`<progress max=${expected} value=${endedAt === null ? sent : expected} aria-label=${t.progress}></progress><br />${t.of(sent, expected)}${isKnown ? html`<br />${t.became(arrived, failed, open)}` : null}`,
    endedAt === null ? t.going : html`${state}, ${when(request, endedAt)}`,
  ];
}
