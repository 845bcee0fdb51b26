import { may } from '#policy/rights.ts';
import type { DeliveryRow } from '#services/deliveries/look-up.ts';
import { html, type Markup, type Value } from '../../../pages/markup.ts';
import { when } from '../../parts.ts';
import type { MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';

/** Bodies, headers and answers contain what a person or a receiver wrote. */
export const seesContents = ({ member }: MemberRequest): boolean => may(member.role, 'webhooks.contents');

/** Bytes of a partner or a receiver. Control characters are shown as such, so that they cannot hide anything. */
export const verbatim = (bytes: Buffer, name: string): Markup =>
  html`<pre tabindex="0" role="region" aria-label=${name}><code>${bytes.toString('utf8').replaceAll(/[^\P{C}\n\t]/gu, '\u{FFFD}')}</code></pre>`;

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
  const { deliveries: t } = request.text.webhooks;
  return table(
    { label: t.title, columns: [t.created, t.event, t.status, t.attempts, t.last], names: 1 },
    deliveries.map((row) => ({ cells: cellsOf(request, row) })),
  );
}

function cellsOf(request: MemberRequest, row: DeliveryRow): Value[] {
  const t = request.text.webhooks;
  const last = row.attempts.at(-1);
  return [
    when(request, row.createdAt),
    html`<a href=${`/deliveries/${row.id}`}>${row.eventType}</a><br /><small><code>${row.eventId}</code>${row.trigger === 'event' ? null : `, ${t.triggers[row.trigger]}`}</small>`,
    html`<span class=${`tag ${row.status}`}>${t.statuses[row.status]}</span>`,
    row.attempts.length,
    last === undefined ? '–' : endInWords(request, last),
  ];
}
