import {
  allMethods,
  type Environment,
  environments,
  outcomes,
  verificationStatuses,
} from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { LookedBack } from '#services/portions/look-back.ts';
import { type FoundVerification, type Search, searchVerifications } from '#services/verifications/search.ts';
import { html, type Markup, type Value } from '../../../pages/markup.ts';
import { choice, empty, field, when } from '../../parts.ts';
import type { Answer, ConsolePage, MemberRequest } from '../../request.ts';
import { table } from '../../table.ts';
import { dayField, readDays } from '../../values/days.ts';
import { further, nothingIn } from '../../values/further.ts';
import { stateInWords } from '../../values/state-in-words.ts';

const pageSize = 50;

/** What was typed into the search, and what is wrong with it. */
type Asked = {
  environment: Environment;
  search: Search;
  faults: { text?: string; from?: string; until?: string };
};

const searchPage = async (request: MemberRequest): Promise<Answer> => {
  const asked = readSearch(request);
  const found = Object.keys(asked.faults).length > 0 ? undefined : await find(request, asked);
  const elsewhere = found?.data.length === 0 ? await findElsewhere(request, asked, found.next) : undefined;
  if (elsewhere !== undefined) return { to: elsewhere, notice: 'found_elsewhere' };
  const isFaulty = Object.keys(asked.faults).length > 0;
  const { title } = request.text.verifications;
  return {
    title,
    ...(isFaulty && { status: 422 as const, isFaulty }),
    body: html`${searchForm(request, asked)}${found === undefined ? null : list(request, asked, found)}`,
  };
};

/** Text that no row can have is a fault of the field. A cursor that names no row shows the first page. */
async function find(
  request: MemberRequest,
  asked: Asked,
): Promise<LookedBack<FoundVerification> | undefined> {
  const { ctx, callers, text } = request;
  const caller = callers[asked.environment];
  try {
    return await searchVerifications(ctx, caller, asked.search);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'invalid_cursor')
      return searchVerifications(ctx, caller, { ...asked.search, starting_after: undefined });
    asked.faults.text = text.verifications.search.wrongText;
    return undefined;
  }
}

const inOther = ({ query }: MemberRequest, { environment }: Asked) => {
  const other: Environment = environment === 'live' ? 'sandbox' : 'live';
  const same = new URLSearchParams(query);
  same.set('environment', other);
  same.delete('after');
  return { other, path: `/verifications?${same}` };
};

/**
 * Nobody knows in which environment a reference is. Undefined if it is in none, or if nothing was named. While there is more to look
 * through (`next`), a part may still be here, so only a whole reference leads there.
 */
async function findElsewhere(
  request: MemberRequest,
  asked: Asked,
  next: string | null,
): Promise<string | undefined> {
  if (!asked.search.text?.trim() || asked.search.starting_after !== undefined) return undefined;
  const { other, path } = inOther(request, asked);
  const wanted = { ...asked.search, limit: 1, isWhole: next !== null };
  const found = await searchVerifications(request.ctx, request.callers[other], wanted);
  return found.data.length === 0 ? undefined : path;
}

function readSearch({ query, text, member }: MemberRequest): Asked {
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((value) => value === query.get(name));
  const { from, before, faults = {} } = readDays(query, member.timeZone, text.verifications.search.wrongDate);
  const search = {
    text: query.get('text') ?? undefined,
    status: oneOf('status', verificationStatuses),
    outcome: oneOf('outcome', outcomes),
    method: oneOf('method', allMethods),
    createdFrom: from,
    createdBefore: before,
    limit: pageSize,
    starting_after: query.get('after') ?? undefined,
  };
  return { environment: oneOf('environment', environments) ?? 'live', search, faults };
}

const filters = ['environment', 'status', 'outcome', 'method', 'from', 'until'];

function searchForm(request: MemberRequest, { environment, faults }: Asked): Markup {
  const { text, query } = request;
  const t = text.verifications;
  const typed = (name: string) => query.get(name) ?? '';
  const any = { value: '', name: t.search.any };
  const options = <Value extends string>(values: readonly Value[], names: Record<Value, string>) =>
    values.map((value) => ({ value, name: names[value] }));
  return html`
    <search><form method="get" action="/verifications" class="search">
      ${field({ name: 'text', label: t.search.text, hint: t.search.textHint, value: typed('text'), fault: faults.text, type: 'search', autofocus: query.size === 0 })}
      <details open=${filters.some((name) => typed(name) !== '')}>
        <summary>${t.search.filters}</summary>
        <div class="narrow">
        ${choice({ name: 'environment', label: t.search.environment, value: environment, options: options(environments, text.environments) })}
        ${choice({ name: 'status', label: t.search.status, value: typed('status'), options: [any, ...options(verificationStatuses, t.statuses)] })}
        ${choice({ name: 'outcome', label: t.search.outcome, value: typed('outcome'), options: [any, ...options(outcomes, t.outcomes)] })}
        ${choice({ name: 'method', label: t.search.method, value: typed('method'), options: [any, ...options(allMethods, t.methods)] })}
        ${dayField(request, { name: 'from', label: t.search.from, value: typed('from'), fault: faults.from })}
        ${dayField(request, { name: 'until', label: t.search.until, value: typed('until'), fault: faults.until })}
        </div>
      </details>
      <button>${t.search.button}</button>
    </form></search>
  `;
}

function list(request: MemberRequest, asked: Asked, found: LookedBack<FoundVerification>): Markup {
  const { columns, title } = request.text.verifications;
  const rows = () =>
    table(
      {
        label: title,
        columns: [columns.created, columns.reference, columns.method, columns.status, columns.outcome],
        names: 1,
      },
      found.data.map((row) => ({ cells: cellsOf(request, row) })),
    );
  return html`
    ${found.data.length === 0 ? noHit(request, asked, found) : rows()}
    ${further(request, '/verifications', found)}
    ${found.data.length > 0 && found.lookedBackTo !== null ? toOther(request, asked) : null}
  `;
}

/** What has a part of a reference can hide that the whole of it is in the other environment. */
function toOther(request: MemberRequest, asked: Asked): Markup {
  const { other, path } = inOther(request, asked);
  return html`<p><a href=${path}>${request.text.verifications.search.otherEnvironment[other]}</a></p>`;
}

/** A list is of one environment, so the same search in the other one is offered. */
function noHit(request: MemberRequest, asked: Asked, found: LookedBack<FoundVerification>): Markup {
  const t = request.text.verifications.search;
  const { limit: _, ...wanted } = asked.search;
  if (!Object.values(wanted).some(Boolean)) return empty(t.none, { to: '/keys', name: t.keys });
  const { other, path } = inOther(request, asked);
  const words = nothingIn(request, found, `${t.nothing} ${t.nothingHint}`);
  return empty(words, { to: path, name: t.otherEnvironment[other] });
}

function cellsOf(request: MemberRequest, row: FoundVerification): Value[] {
  const t = request.text.verifications;
  return [
    when(request, row.createdAt),
    html`<a href=${`/verifications/${row.id}`}>${row.reference ?? t.noReference}</a><br /><small><code>${row.id}</code></small>`,
    t.methods[row.method],
    stateInWords(request.text, row, request.ctx.clock.now()),
    html`${row.outcome === null ? '–' : html`<span class=${`tag ${row.outcome}`}>${t.outcomes[row.outcome]}</span>`}${row.reviewed ? html`<br /><small>${t.reviewed}</small>` : null}`,
  ];
}

export const verificationsPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/verifications',
    for: 'verifications.see',
    query: ['text', 'environment', 'status', 'outcome', 'method', 'from', 'until', 'after'],
    nav: 'verifications',
    run: searchPage,
  },
];
