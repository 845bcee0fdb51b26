import type { Environment, Method } from '#contract/enums.ts';
import { minuteMs } from '#contract/time.ts';
import { may } from '#policy/rights.ts';
import type { Page } from '#services/portions/page.ts';
import { listQueue, type QueuedReview, queueThroughput, type Throughput } from '#services/reviews/queue.ts';
import { reasonIn } from '#services/views/reason-in.ts';
import { html, type Markup, type Value } from '../../../pages/markup.ts';
import { empty, environmentIn, environmentTabs, form, pageAsked } from '../../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../../request.ts';
import { table } from '../../table.ts';
import { counted } from '../../values/counted.ts';
import { takeBackOffer } from './take-back.ts';

const pageSize = 25;
/** The script asks again after this time. */
const refreshSeconds = 15;

export const queuePath = (environment: Environment): string => `/review?environment=${environment}`;

async function queuePage(request: MemberRequest): Promise<View> {
  const { ctx, callers, query, text } = request;
  const environment = environmentIn(query);
  const [queue, throughput] = await Promise.all([
    pageAsked(request, (startingAfter) =>
      listQueue(ctx, callers[environment], { limit: pageSize, startingAfter }),
    ),
    queueThroughput(ctx, callers[environment]),
  ]);
  const t = text.reviews;
  return {
    title: t.title,
    body: html`
      ${may(request.member.role, 'queue.decide') ? await takeBackOffer(request, environment) : null}
      <p>${t.intro}</p>
      ${environmentTabs(request, environment, queuePath)}
      ${may(request.member.role, 'queue.decide') ? html`<p><a href=${`/review/mine?environment=${environment}`}>${text.ownDecisions.title}</a></p>` : null}
      <div id="now" data-refresh=${refreshSeconds}>
        ${numbers(request, throughput)}
        ${startOf(request, environment, queue)}
        ${queue.data.length === 0 ? nothingWaits(request, environment) : queueTable(request, queue)}
      </div>
      ${queue.next_starting_after === null ? null : html`<p><a href=${`${queuePath(environment)}&after=${queue.next_starting_after}`}>${t.older}</a></p>`}
    `,
  };
}

/** The one button of a reviewer: the oldest that nobody has. The focus is on it, so Enter begins. */
function startOf(
  request: MemberRequest,
  environment: Environment,
  { data }: Page<QueuedReview>,
): Markup | null {
  const { member, text } = request;
  const canStart = data.some((row) => ['free', 'mine'].includes(stateOf(request, row)));
  if (!canStart || !may(member.role, 'queue.decide')) return null;
  const field = html`<input type="hidden" name="environment" value=${environment} />`;
  return form(request, '/review/next', html`${field}<button autofocus>${text.reviews.next}</button>`);
}

function nothingWaits({ member, text }: MemberRequest, environment: Environment): Markup {
  const t = text.reviews;
  const search = { to: `/verifications?environment=${environment}`, name: t.verifications };
  return empty(
    `${t.empty} ${t.emptyHint[environment]}`,
    may(member.role, 'verifications.see') ? search : undefined,
  );
}

function numbers({ language, text }: MemberRequest, given: Throughput): Markup {
  const t = text.reviews;
  const time = (ms: number | null) => (ms === null ? t.none : t.minutes(Math.round(ms / minuteMs)));
  const { waiting, oldestWaitedMs, decidedLastDay, decidedLastWeek, medianWaitMs } = given;
  const shown: [string, string][] = [
    [t.numbers.waiting, counted(language, waiting)],
    [t.numbers.oldest, time(oldestWaitedMs)],
    [t.numbers.lastDay, counted(language, decidedLastDay)],
    [t.numbers.lastWeek, counted(language, decidedLastWeek)],
    [t.numbers.median, time(medianWaitMs)],
  ];
  return html`<dl class="numbers">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function queueTable(request: MemberRequest, queue: Page<QueuedReview>): Markup {
  const { columns, title } = request.text.reviews;
  const canDecide = may(request.member.role, 'queue.decide');
  return table(
    {
      label: title,
      columns: [
        columns.since,
        columns.what,
        columns.why,
        columns.pictures,
        columns.state,
        canDecide ? columns.action : undefined,
      ],
      names: 1,
    },
    queue.data.map((row) => ({ cells: cellsOf(request, row) })),
  );
}

type QueueState = 'free' | 'mine' | 'taken' | 'waitsForOther' | 'copyDue';

function stateOf({ member }: MemberRequest, { claim, decidedByMember, isCopyDue }: QueuedReview): QueueState {
  if (decidedByMember) return 'waitsForOther';
  if (isCopyDue) return 'copyDue';
  if (claim === null) return 'free';
  return claim.memberId === member.memberId ? 'mine' : 'taken';
}

function cellsOf(request: MemberRequest, row: QueuedReview): Value[] {
  const { text } = request;
  const t = text.reviews;
  const v = text.verifications;
  const state = stateOf(request, row);
  const name = row.reference ?? v.noReference;
  const time = (ms: number) => t.minutes(Math.round(ms / minuteMs));
  const act = state === 'mine' ? t.goOn : t.take;
  const button = html`<button class="secondary" aria-label=${`${act}: ${name}`}>${act}</button>`;
  return [
    time(row.waitedMs),
    html`<a href=${`/verifications/${row.id}`}>${name}</a><br /><small>${v.methods[row.method as Method]}</small>`,
    why(request, row),
    row.evidenceLeftMs === null ? t.noPictures : time(row.evidenceLeftMs),
    html`${t[state]}${row.eyes > 1 ? html`<br /><small>${t.decided(row.decisions, row.eyes)}</small>` : null}`,
    state === 'free' || state === 'mine' ? form(request, `/review/${row.id}/claim`, button) : null,
  ];
}

/** What is in doubt, in a word each. Where nothing is, a sentence says why a person decides all the same. */
const why = ({ language, text }: MemberRequest, { doubts, reasonIds }: QueuedReview): Markup[] =>
  doubts.length > 0
    ? doubts.map((kind) => html`<span class="tag doubt">${text.verifications.checks[kind]}</span> `)
    : reasonIds.slice(0, 1).map((id) => html`${reasonIn(language, id)}`);

export const queuePages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/review',
    for: 'queue.see',
    query: ['environment', 'after', 'decided'],
    nav: 'review',
    run: queuePage,
  },
];
