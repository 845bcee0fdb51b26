import { type Act, actKinds, searchActs } from '#services/acts/search.ts';
import { listMembers, type Member } from '#services/members/manage.ts';
import type { LookedBack } from '#services/portions/look-back.ts';
import { html, type Markup, type Value } from '../../pages/markup.ts';
import { choice, empty, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import { table } from '../table.ts';
import { type Days, dayField, readDays } from '../values/days.ts';
import { further, nothingIn } from '../values/further.ts';
import { detailsOf } from './log-details.ts';

const pageSize = 50;
const operator = 'operator';

async function logView(request: MemberRequest): Promise<View> {
  const { ctx, callers, query, member } = request;
  const typed = (name: string) => query.get(name)?.trim() || undefined;
  const members = await listMembers(ctx, callers.live);
  const wanted = {
    by: [operator, ...members.map(({ id }) => id)].find((each) => each === typed('by')),
    kind: actKinds.find((each) => each === typed('kind')),
  };
  const t = request.text.log;
  const { from: doneFrom, before: doneBefore, faults } = readDays(query, member.timeZone, t.wrongDate);
  const page = { limit: pageSize, after: typed('after'), doneFrom, doneBefore };
  const found =
    faults === undefined ? await searchActs(ctx, callers.live, { ...wanted, ...page }) : undefined;
  const isNarrow = [...Object.values(wanted), page.after, doneFrom, doneBefore].some(Boolean);
  return {
    title: t.title,
    ...(found === undefined && { status: 422, isFaulty: true }),
    body: html`
      <p>${t.intro}</p>
      ${filter(request, members, faults)}
      ${found === undefined ? null : list(request, found, members, isNarrow)}
    `,
  };
}

function list(
  request: MemberRequest,
  found: LookedBack<Act>,
  members: readonly Member[],
  isNarrow: boolean,
): Markup {
  const t = request.text.log;
  return html`
    ${found.data.length === 0 ? empty(isNarrow ? nothingIn(request, found, t.nothing) : t.none) : actsTable(request, found.data, members)}
    ${further(request, '/log', found)}
  `;
}

function filter(request: MemberRequest, members: readonly Member[], faults: Days['faults']): Markup {
  const { query, text } = request;
  const t = text.log;
  const any = { value: '', name: t.any };
  const people = members.map(({ id, email }) => ({ value: id, name: email }));
  return html`
    <search><form method="get" action="/log" class="search">
      <div class="narrow">
        ${choice({ name: 'by', label: t.by, value: query.get('by'), options: [any, ...people, { value: operator, name: t.operator }] })}
        ${choice({ name: 'kind', label: t.kind, value: query.get('kind'), options: [any, ...actKinds.map((value) => ({ value, name: t.kinds[value] }))] })}
        ${dayField(request, { name: 'from', label: t.from, value: query.get('from'), fault: faults?.from })}
        ${dayField(request, { name: 'until', label: t.until, value: query.get('until'), fault: faults?.until })}
      </div>
      <button>${t.show}</button>
    </form></search>
  `;
}

function actsTable(request: MemberRequest, acts: readonly Act[], members: readonly Member[]): Markup {
  const { title, columns } = request.text.log;
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  return table(
    { label: title, columns: [columns.at, columns.by, columns.act, columns.object], names: 2 },
    acts.map((act) => ({ cells: cellsOf(request, act, emails) })),
  );
}

type Emails = ReadonlyMap<unknown, string>;

function cellsOf(request: MemberRequest, act: Act, emails: Emails): Value[] {
  const t = request.text.log;
  const more = detailsOf(request, act);
  return [
    when(request, act.at, undefined, true),
    personOf(request, act, emails),
    html`${t.acts[act.type] ?? act.type}${more.map((part) => html`<br /><small>${part}</small>`)}`,
    objectOf(request, act, emails),
  ];
}

function personOf(
  { text }: MemberRequest,
  { memberId, isOperator, operatorId }: Act,
  emails: Emails,
): Markup | string {
  const t = text.log;
  if (memberId !== null) return emails.get(memberId) ?? t.unknown;
  if (!isOperator) return t.product;
  return operatorId === null
    ? t.operator
    : html`${t.operator}<br /><small><code>${operatorId}</code></small>`;
}

function objectOf(request: MemberRequest, { kind, subjectId, data }: Act, emails: Emails): Markup | string {
  const t = request.text.log;
  const linked = (path: string) => html`<a href=${`${path}/${subjectId}`}><code>${subjectId}</code></a>`;
  switch (kind) {
    case 'accounts':
      return t.ownAccount;
    case 'members':
      return emails.get(data.member_id) ?? t.unknown;
    case 'organisation':
      return t.organisation;
    case 'keys':
      return html`<code>${subjectId}</code>`;
    case 'webhooks':
      return linked('/webhooks');
    case 'verifications':
    case 'reviews':
      return linked('/verifications');
  }
}

export const logPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/log',
    for: 'log.see',
    query: ['by', 'kind', 'from', 'until', 'after'],
    nav: 'log',
    run: logView,
  },
];
