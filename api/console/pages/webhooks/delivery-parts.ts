import type { DeliveryRow } from '#services/deliveries/look-up.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';

type Ended = Pick<DeliveryRow['attempts'][number], 'responseStatus' | 'reason'>;

/** How an attempt ended, in words. */
export function endInWords({ text }: MemberRequest, { responseStatus, reason }: Ended): string {
  const t = text.webhooks;
  if (reason === null) return t.accepted(responseStatus);
  const words = t.reasons[reason];
  return responseStatus === null ? words : `${words} (${responseStatus})`;
}

/** A table of deliveries to one endpoint. */
export function deliveryTable(request: MemberRequest, deliveries: readonly DeliveryRow[]): Markup {
  const t = request.text.webhooks;
  return html`
    <div class="table" role="region" aria-label=${t.deliveries.title} tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">${t.deliveries.created}</th><th scope="col">${t.deliveries.event}</th><th scope="col">${t.deliveries.status}</th>
            <th scope="col">${t.deliveries.attempts}</th><th scope="col">${t.deliveries.last}</th>
          </tr>
        </thead>
        <tbody>${deliveries.map((row) => deliveryLine(request, row))}</tbody>
      </table>
    </div>
  `;
}

function deliveryLine(request: MemberRequest, row: DeliveryRow): Markup {
  const t = request.text.webhooks;
  const last = row.attempts.at(-1);
  return html`
    <tr>
      <td>${when(request, row.createdAt)}</td>
      <th scope="row"><a href=${`/deliveries/${row.id}`}>${row.eventType}</a><br /><small><code>${row.eventId}</code>${row.trigger === 'event' ? null : `, ${t.triggers[row.trigger]}`}</small></th>
      <td><span class=${`tag ${row.status}`}>${t.statuses[row.status]}</span></td>
      <td>${row.attempts.length}</td>
      <td>${last === undefined ? '–' : endInWords(request, last)}</td>
    </tr>
  `;
}
