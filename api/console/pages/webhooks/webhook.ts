import { deliveryStatuses } from '#contract/enums.ts';
import { may } from '#policy/rights.ts';
import { type DeliveryRow, searchDeliveries } from '#services/deliveries/look-up.ts';
import type { Page } from '#services/portions/page.ts';
import { countedDeliveries, type WatchedEndpoint } from '#services/webhooks/watch.ts';
import { html, type Markup } from '../../../pages/markup.ts';
import { choice, empty, pageAsked, when } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { endOf } from '../../trouble.ts';
import { type Days, dayField, readDays } from '../../values/days.ts';
import { deliveryTable, endInWords } from './delivery-parts.ts';
import { endpointForms, type Fault } from './endpoint-forms.ts';
import { type FoundEndpoint, withEndpoint } from './find-endpoint.ts';
import { resendOrders } from './resend-orders.ts';
import { healthOf } from './webhooks.ts';

const pageSize = 50;

/** The page of one endpoint: its health, and its deliveries. */
export async function endpointView(
  request: MemberRequest,
  found: FoundEndpoint,
  fault?: Fault,
): Promise<View> {
  const t = request.text.webhooks;
  const { member, query } = request;
  const days = readDays(query, member.timeZone, t.deliveries.wrongDate);
  const page = days.faults === undefined ? await search(request, found, days) : undefined;
  const canAct = found.endpoint.active && may(member.role, 'webhooks.change');
  const isBeside = canAct && fault?.beside !== undefined;
  const isWrong = page === undefined || isBeside;
  return {
    title: found.endpoint.description ?? new URL(found.endpoint.url).host,
    ...endOf(isWrong || fault === undefined ? undefined : (fault.code ?? 'webhook_inactive'), isWrong),
    body: html`
      ${fault === undefined || isBeside ? null : html`<p role="alert">${fault.text}</p>`}
      ${found.changedFromSandbox === undefined ? null : html`<p class="notice" role="status">${t.changedFromSandbox} ${when(request, found.changedFromSandbox)}</p>`}
      ${about(request, found.endpoint)}
      ${figuresOf(request, found)}
      <h2 id="deliveries">${t.deliveries.title}</h2>
      ${filter(request, found, days)}
      ${page === undefined ? null : list(request, found, page)}
      ${await resendOrders(request, found)}
      ${canAct ? endpointForms(request, found, fault) : null}
      <p><a href="/webhooks">${t.back}</a></p>
    `,
  };
}

function about(request: MemberRequest, endpoint: WatchedEndpoint): Markup {
  const { fields, environments } = request.text.webhooks;
  const { previousSecretUntil } = endpoint;
  const overlaps = previousSecretUntil !== null && previousSecretUntil > request.ctx.clock.now();
  return html`
    <dl>
      <div><dt>${fields.url}</dt><dd><code>${endpoint.url}</code></dd></div>
      <div><dt>${fields.id}</dt><dd><code>${endpoint.id}</code></dd></div>
      <div><dt>${fields.events}</dt><dd>${endpoint.eventTypes.map((type) => html`<code>${type}</code> `)}</dd></div>
      <div><dt>${fields.environment}</dt><dd>${environments[endpoint.environment]}</dd></div>
      <div><dt>${fields.made}</dt><dd>${when(request, endpoint.createdAt)}</dd></div>
      ${overlaps ? html`<div><dt>${fields.oldSecretUntil}</dt><dd>${when(request, previousSecretUntil)}</dd></div>` : null}
    </dl>
  `;
}

function figuresOf(request: MemberRequest, { endpoint, figures }: FoundEndpoint): Markup {
  const { columns, figures: t, health } = request.text.webhooks;
  const { attempts, delivered, p50, p99, lastFailure } = figures;
  const time = (ms: number | null) => (ms === null ? t.none : t.milliseconds(ms));
  return html`
    <h2>${columns.health}</h2>
    <dl>
      <div><dt>${columns.health}</dt><dd>${healthOf(request, endpoint)}</dd></div>
      <div><dt>${health.lastSuccess}</dt><dd>${when(request, endpoint.lastSuccessAt)}</dd></div>
      <div><dt>${t.rate}</dt><dd>${attempts === 0 ? t.none : t.of(delivered, attempts)}</dd></div>
      <div><dt>${t.p50}</dt><dd>${time(p50)}</dd></div>
      <div><dt>${t.p99}</dt><dd>${time(p99)}</dd></div>
      <div><dt>${t.lastFailure}</dt><dd>${lastFailure === null ? t.none : html`${endInWords(request, lastFailure)}, ${when(request, new Date(lastFailure.at))}`}</dd></div>
    </dl>
    <p><small>${t.counted(countedDeliveries)}</small></p>
  `;
}

function search(
  request: MemberRequest,
  { endpoint: { id } }: FoundEndpoint,
  { from, before }: Days,
): Promise<Page<DeliveryRow>> {
  const { ctx, callers, query } = request;
  const status = deliveryStatuses.find((each) => each === query.get('status'));
  const wanted = { id, limit: pageSize, status, createdFrom: from, createdBefore: before };
  return pageAsked(request, (starting_after) =>
    searchDeliveries(ctx, callers.live, { ...wanted, starting_after }),
  );
}

function filter(request: MemberRequest, { endpoint }: FoundEndpoint, { faults }: Days): Markup {
  const { query, text } = request;
  const { deliveries: t, statuses } = text.webhooks;
  const any = { value: '', name: t.any };
  return html`
    <search><form method="get" action=${`/webhooks/${endpoint.id}#deliveries`} class="search">
      <div class="narrow">
        ${choice({ name: 'status', label: t.status, value: query.get('status'), options: [any, ...deliveryStatuses.map((value) => ({ value, name: statuses[value] }))] })}
        ${dayField(request, { name: 'from', label: t.from, value: query.get('from'), fault: faults?.from })}
        ${dayField(request, { name: 'until', label: t.until, value: query.get('until'), fault: faults?.until })}
      </div>
      <button class="secondary">${t.show}</button>
    </form></search>
  `;
}

function list(request: MemberRequest, { endpoint }: FoundEndpoint, page: Page<DeliveryRow>): Markup {
  const { deliveries: t, older } = request.text.webhooks;
  const isNarrow = ['status', 'from', 'until'].some((name) => request.query.get(name));
  if (page.data.length === 0) return empty(isNarrow ? t.nothing : t.none);
  const next = new URLSearchParams(request.query);
  next.set('after', page.next_starting_after ?? '');
  return html`
    ${deliveryTable(request, page.data)}
    ${page.next_starting_after === null ? null : html`<p><a href=${`/webhooks/${endpoint.id}?${next}#deliveries`}>${older}</a></p>`}
  `;
}

export const webhookPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/webhooks/:id',
    for: 'webhooks.see',
    query: ['status', 'from', 'until', 'after'],
    run: withEndpoint((request, found) => endpointView(request, found)),
  },
];
