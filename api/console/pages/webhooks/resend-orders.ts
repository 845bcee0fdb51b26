import { dayInUtc } from '#contract/time.ts';
import { listResendOrders, type OrderRow } from '#services/deliveries/resend-failed.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
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
    <h2 id="orders">${t.orders}</h2>
    <div class="table" role="region" aria-labelledby="orders" tabindex="0">
      <table>
        <thead>
          <tr><th scope="col">${t.asked}</th><th scope="col">${t.days}</th><th scope="col">${t.progress}</th><th scope="col">${t.state}</th></tr>
        </thead>
        <tbody>${orders.map((order) => orderLine(request, order))}</tbody>
      </table>
    </div>
    ${orders.some(({ endedAt }) => endedAt === null) ? html`<p><a href=${`/webhooks/${endpoint.id}`}>${t.refresh}</a></p>` : null}
  `;
}

function orderLine(request: MemberRequest, order: OrderRow): Markup {
  const t = request.text.webhookActions.failed;
  const { sent, moreLeft, endedAt } = order;
  const expected = Math.max(order.expected, sent, 1);
  const state = moreLeft ? t.moreLeft : t.done;
  return html`
    <tr>
      <td>${when(request, order.createdAt)}</td>
      <td>${dayOf(order.createdFrom)} – ${dayOf(order.createdBefore, -1)}</td>
      <td><progress max=${expected} value=${endedAt === null ? sent : expected} aria-label=${t.progress}></progress><br />${t.of(sent, expected)}</td>
      <td>${endedAt === null ? t.going : html`${state}, ${when(request, endedAt)}`}</td>
    </tr>
  `;
}

/** The day in UTC, as it was typed. */
const dayOf = (at: Date | null, laterMs = 0): string =>
  at === null ? '–' : dayInUtc(new Date(at.getTime() + laterMs));
