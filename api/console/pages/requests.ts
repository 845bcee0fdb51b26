import { type ListedKey, listKeys } from '#services/keys/list.ts';
import { type LoggedRequest, searchRequests } from '#services/request-log/search.ts';
import { html, type Markup, type Value } from '../../pages/markup.ts';
import { choice, empty, field, when } from '../parts.ts';
import type { ConsolePage, MemberRequest, View } from '../request.ts';
import { table } from '../table.ts';
import { further, nothingIn } from '../values/further.ts';

const pageSize = 50;
const classes = ['2', '4', '5'] as const;

async function requestsView(request: MemberRequest): Promise<View> {
  const { ctx, callers, query } = request;
  const typed = (name: string) => query.get(name)?.trim() || undefined;
  const keys = await listKeys(ctx, callers.live);
  const wanted = {
    requestId: typed('id'),
    keyId: keys.find(({ id }) => id === typed('key'))?.id,
    path: typed('path'),
    statusClass: Number(classes.find((each) => each === typed('status'))) || undefined,
  };
  const page = { limit: pageSize, after: typed('after') };
  const found = await searchRequests(ctx, callers.live, { ...wanted, ...page });
  const isNarrow = Object.values(wanted).some(Boolean);
  const t = request.text.usage.requests;
  return {
    title: t.title,
    body: html`
      <p>${t.intro}</p>
      ${filter(request, keys)}
      ${found.data.length === 0 ? (isNarrow || page.after ? empty(nothingIn(request, found, t.nothing)) : empty(t.none, { to: '/keys', name: t.keys })) : linesTable(request, found.data, keys)}
      ${further(request, '/requests', found)}
    `,
  };
}

function filter({ query, text }: MemberRequest, keys: readonly ListedKey[]): Markup {
  const t = text.usage.requests;
  const any = { value: '', name: t.any };
  const nameOf = (key: ListedKey) => `${key.name ?? ''} ${key.display}`.trim();
  return html`
    <search><form method="get" action="/requests" class="search">
      ${field({ name: 'id', label: t.requestId, hint: t.requestIdHint, value: query.get('id'), type: 'search' })}
      <div class="narrow">
        ${choice({ name: 'key', label: t.key, value: query.get('key'), options: [any, ...keys.map((key) => ({ value: key.id, name: nameOf(key) }))] })}
        ${field({ name: 'path', label: t.path, hint: t.pathHint, value: query.get('path') })}
        ${choice({ name: 'status', label: t.status, value: query.get('status'), options: [any, ...classes.map((value) => ({ value, name: t.classes[value] }))] })}
      </div>
      <button>${t.show}</button>
    </form></search>
  `;
}

function linesTable(
  request: MemberRequest,
  lines: readonly LoggedRequest[],
  keys: readonly ListedKey[],
): Markup {
  const { title, columns } = request.text.usage.requests;
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return table(
    {
      label: title,
      columns: [columns.at, columns.request, columns.status, columns.took, columns.key, columns.id],
      names: 1,
    },
    lines.map((line) => ({ cells: cellsOf(request, line, keyOf.get(line.keyId)) })),
  );
}

function cellsOf(request: MemberRequest, line: LoggedRequest, key: ListedKey | undefined): Value[] {
  const t = request.text.usage.requests;
  const { status, code, environment } = line;
  return [
    when(request, line.createdAt, undefined, true),
    html`<code>${line.method} ${line.path}</code>`,
    html`<span class=${`tag ${status >= 400 ? 'failed' : 'passed'}`}>${status}</span>${code === null ? null : html`<br /><small>${code}</small>`}`,
    t.milliseconds(line.durationMs),
    html`${key === undefined ? t.unknownKey : html`${key.name ?? ''} <code>${key.display}</code>`}<br /><span class=${`tag ${environment}`}>${request.text.environments[environment]}</span>`,
    html`<code>${line.requestId}</code>`,
  ];
}

export const requestsPages: readonly ConsolePage[] = [
  {
    method: 'GET',
    path: '/requests',
    for: 'requests.see',
    query: ['id', 'key', 'path', 'status', 'after'],
    nav: 'requests',
    run: requestsView,
  },
];
