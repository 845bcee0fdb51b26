import { dayMs, hourMs, minuteMs, secondMs } from '#contract/time.ts';
import {
  inTime,
  listAtWork,
  type OrganisationAtWork,
  type Overview,
  readOverview,
} from '#services/inspection/overview.ts';
import { html, type Markup } from '../../pages/markup.ts';
import { empty, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import { table } from '../table.ts';
import { counted } from '../values/counted.ts';

const pageSize = 50;
const nameLengthMax = 200;

async function overviewView(request: MemberRequest): Promise<View> {
  const t = request.text.operator;
  const after = (request.query.get('after') ?? '').slice(0, nameLengthMax);
  const [overview, organisations] = await Promise.all([
    readOverview(request.ctx, request.callers.live),
    inTime(listAtWork(request.ctx, request.callers.live, { after, limit: pageSize + 1 })),
  ]);
  return {
    title: t.title,
    body: html`
      <p>${t.intro}</p>
      <h2>${t.work.title}</h2>
      ${workTable(request, overview)}
      <h2>${t.housekeeping.title}</h2>
      ${housekeeping(request, overview)}
      <h2>${t.organisations.title}</h2>
      ${organisations === null ? html`<p>${t.unknown}</p>` : listOf(request, organisations, after)}
    `,
  };
}

const units = [
  ['day', dayMs / secondMs],
  ['hour', hourMs / secondMs],
  ['minute', minuteMs / secondMs],
] as const;

/** An age in the largest unit of which it has two. */
function ageOf({ language, text }: MemberRequest, seconds: number): string {
  const { ago } = text.operator;
  const [unit, size] = units.find(([, size]) => seconds >= 2 * size) ?? (['second', 1] as const);
  return `${Math.round(seconds / size).toLocaleString(language)} ${ago[unit]}`;
}

/** The age is undefined where there is none to tell. */
type Work = [what: string, count: number | null, oldestSeconds?: number | undefined];

function workOf(request: MemberRequest, overview: Overview): Work[] {
  const { workflows, deliveries, reviews } = overview;
  const { work: t } = request.text.operator;
  const oldest = (count: number, seconds: number) => (count === 0 ? undefined : seconds);
  const open = (what: string, found: Overview['claims']): Work =>
    found === null ? [what, null] : [what, found.open, oldest(found.open, found.oldestSeconds)];
  return [
    ...(workflows === null
      ? [[t.workflows, null] satisfies Work]
      : Object.entries(workflows).map(([type, count]): Work => [t.ofType(type), count])),
    ...(deliveries === null
      ? [[t.deliveries, null] satisfies Work]
      : ([
          [t.waiting, deliveries.waiting],
          [t.due, deliveries.due, oldest(deliveries.due + deliveries.overdue, deliveries.oldestDueSeconds)],
          [t.overdue, deliveries.overdue],
          [t.queued, deliveries.queued, oldest(deliveries.queued, overview.oldestQueuedSeconds ?? 0)],
        ] satisfies Work[])),
    open(t.unstarted, overview.unstarted),
    open(t.submissions, overview.submissions),
    open(t.unmasked, overview.unmasked),
    ...(reviews === null || reviews.length === 0
      ? [[t.reviews, reviews && 0] satisfies Work]
      : reviews.map(
          ({ environment, waiting, oldestSeconds }): Work => [
            t.reviewsOf[environment] ?? environment,
            waiting,
            oldest(waiting, oldestSeconds),
          ],
        )),
    open(t.claims, overview.claims),
  ];
}

function workTable(request: MemberRequest, overview: Overview): Markup {
  const { work: t, unknown } = request.text.operator;
  return table(
    { label: t.title, columns: [t.what, t.count, t.oldest], names: 0 },
    workOf(request, overview).map(([what, count, oldest]) => ({
      cells: [
        what,
        count === null ? unknown : counted(request.language, count),
        oldest === undefined ? '–' : ageOf(request, oldest),
      ],
    })),
  );
}

function housekeeping(request: MemberRequest, { housekeepingPaused, purges }: Overview): Markup {
  const { housekeeping: t, unknown } = request.text.operator;
  const state = { true: t.paused, false: t.active, null: t.unknown }[`${housekeepingPaused}`];
  return html`
    <p>${t.state}: <span class=${housekeepingPaused === true ? 'tag doubt' : 'tag'}>${state}</span></p>
    ${purges === null ? html`<p>${unknown}</p>` : purgesTable(request, purges)}
  `;
}

function purgesTable(request: MemberRequest, purges: NonNullable<Overview['purges']>): Markup {
  const { housekeeping: t } = request.text.operator;
  return table(
    { label: t.title, columns: [t.kind, t.behind, t.done], names: 0 },
    purges.map(({ what, overdueMs, doneAt }) => ({
      cells: [
        t.kinds[what],
        overdueMs > 0 ? ageOf(request, overdueMs / 1_000) : t.notBehind,
        when(request, doneAt ?? null, t.never),
      ],
    })),
  );
}

/** `found` has one organisation more than is shown, if another page follows. */
function listOf(request: MemberRequest, found: readonly OrganisationAtWork[], after: string): Markup {
  const { organisations: t } = request.text.operator;
  if (found.length === 0)
    return after === '' ? empty(t.none) : empty(t.nothing, { to: '/operator', name: t.first });
  const shown = found.slice(0, pageSize);
  const last = found.length > pageSize ? shown.at(-1) : undefined;
  return html`
    ${organisationsTable(request, shown)}
    ${last === undefined ? null : html`<p><a href=${`/operator?${new URLSearchParams({ after: last.name })}`}>${t.more}</a></p>`}
  `;
}

function organisationsTable(request: MemberRequest, organisations: readonly OrganisationAtWork[]): Markup {
  const { organisations: t } = request.text.operator;
  return table(
    { label: t.title, columns: [t.name, t.state, t.endpoints, t.pausedEndpoints, t.due, t.queued], names: 0 },
    organisations.map(({ id, name, paused, ...counts }) => ({
      cells: [
        html`<a href=${`/operator/organisations/${id}`}>${name}</a>`,
        html`<span class=${paused ? 'tag doubt' : 'tag'}>${paused ? t.paused : t.active}</span>`,
        ...[counts.endpoints, counts.pausedEndpoints, counts.due, counts.queued].map((count) =>
          counted(request.language, count),
        ),
      ],
    })),
  );
}

export const operatorPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/operator',
    for: 'operators.see',
    query: ['after'],
    nav: 'operator',
    run: overviewView,
  },
];
