import { may } from '#policy/rights.ts';
import { type WatchedEndpoint, watchEndpoints } from '#services/webhooks/watch.ts';
import { html, type Markup, type Value } from '../../../pages/markup.ts';
import { empty, pageAsked, when } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { table } from '../../table.ts';

const pageSize = 50;

async function listView(request: MemberRequest): Promise<View> {
  const t = request.text.webhooks;
  const make = may(request.member.role, 'webhooks.change')
    ? { to: '/webhooks/new', name: t.make }
    : undefined;
  const { data, next_starting_after: older } = await read(request);
  if (data.length === 0) return { title: t.title, body: empty(t.none, make) };
  return {
    title: t.title,
    body: html`
      <p>${t.intro}</p>
      ${make === undefined ? null : html`<p><a role="button" href=${make.to}>${make.name}</a></p>`}
      ${table(
        {
          label: t.title,
          columns: [t.columns.url, t.columns.events, t.columns.environment, t.columns.health, t.columns.made],
          names: 0,
        },
        data.map((row) => ({ isOver: !row.active, cells: cellsOf(request, row) })),
      )}
      ${older === null ? null : html`<p><a href=${`/webhooks?after=${older}`}>${t.older}</a></p>`}
    `,
  };
}

const read = (request: MemberRequest) =>
  pageAsked(request, (starting_after) =>
    watchEndpoints(request.ctx, request.callers.live, { limit: pageSize, starting_after }),
  );

const cellsOf = (request: MemberRequest, row: WatchedEndpoint): Value[] => {
  const t = request.text.webhooks;
  return [
    html`<a href=${`/webhooks/${row.id}`}><code>${row.url}</code></a>${row.description === null ? null : html`<br /><small>${row.description}</small>`}`,
    row.eventTypes.map((type) => html`<code>${type}</code> `),
    t.environments[row.environment],
    healthOf(request, row),
    when(request, row.createdAt),
  ];
};

/** The state of an endpoint in words. */
export function healthOf(request: MemberRequest, row: Omit<WatchedEndpoint, 'url' | 'description'>): Markup {
  const { health } = request.text.webhooks;
  const { active, pausedAt, pausedBy, consecutiveFailures, failingSince, lastSuccessAt } = row;
  if (!active) return html`<span class="tag">${health.inactive}</span>`;
  if (pausedAt !== null)
    return html`<span class="tag doubt">${pausedBy === null ? health.paused : health.pausedByOperator}</span> <small>${health.since} ${when(request, pausedAt)}</small>`;
  if (failingSince !== null)
    return html`<span class="tag failed">${health.failing(consecutiveFailures)}</span> <small>${health.since} ${when(request, failingSince)}</small>`;
  if (lastSuccessAt === null) return html`<span class="tag">${health.unused}</span>`;
  return html`<span class="tag passed">${health.healthy}</span>`;
}

export const webhooksPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/webhooks', for: 'webhooks.see', query: ['after'], nav: 'webhooks', run: listView },
];
