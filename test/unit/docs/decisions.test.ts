import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Router from '@koa/router';
import { describe, expect, test } from 'vitest';
import { consolePages } from '#api/console/pages.ts';
import { tools } from '#api/mcp/tools.ts';
import { routes } from '#api/rest/routes.ts';
import type { ServerContext } from '#api/server-context.ts';
import type { ApiState } from '#api/state.ts';
import { mountVerify } from '#api/verify/routes.ts';
import { errors } from '#contract/errors.ts';
import { events } from '#contract/events.ts';
import { organisationSettings, type SettingProperty, settingName } from '#policy/organisation-settings.ts';

/**
 * Each decision says by one `Status:` what of it is built. This test compares what a status names with the tables of the code, so that
 * neither "built" nor "not built" outlives a change. The beginning of `docs/decisions.md` has the form.
 */

const root = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Row = { method: string; path: string };
const braced = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');
const withMethod = ({ method, path }: Row) => `${method} ${braced(path)}`;
const pathsWith = (rows: readonly Row[], method: string) =>
  rows.filter((row) => row.method === method).map(({ path }) => braced(path));

/** The routes of the hosted page. Mounting them needs no server: the context is used only when a request comes. */
function hostedRoutes(): string[] {
  const router = new Router<ApiState>();
  mountVerify(router, {} as ServerContext, () => '');
  return router.stack.flatMap(({ methods, path }) =>
    methods.map((method) => withMethod({ method, path: String(path) })),
  );
}

const restRoutes = routes.map(withMethod);
const toolNames = tools.map(({ name }) => name);
const eventTypes = Object.keys(events);

/** What exists of each kind of part, except tests. A route has no word before it. */
const existing: Readonly<Record<string, readonly string[]>> = {
  route: [...restRoutes, ...hostedRoutes()],
  page: pathsWith(consolePages, 'GET'),
  form: pathsWith(consolePages, 'POST'),
  tool: toolNames,
  event: eventTypes,
  error: Object.keys(errors),
  command: Object.keys(JSON.parse(read('package.json')).scripts),
  setting: Object.keys(organisationSettings).map((property) => settingName(property as SettingProperty)),
  variable: [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name = '']) => name),
};

const exists = ({ kind, name }: Part): boolean =>
  kind === 'test'
    ? /^test\/.+\.test\.ts$/.test(name) && existsSync(join(root, name))
    : existing[kind]?.includes(name) === true;

type Part = { kind: string; name: string };
type Status = { word: string; built: Part[]; notBuilt: Part[] };

/** Reads "event `a`, `b`; `GET /c`". */
const partsIn = (text: string): Part[] =>
  text.split('; ').flatMap((group) => {
    const [before = '', ...names] = group.split(/,? ?`/).filter((each) => each !== '');
    const isRoute = group.startsWith('`');
    const kind = isRoute ? 'route' : before;
    return (isRoute ? [before, ...names] : names).map((name) => ({ kind, name }));
  });

const form =
  /^(?:(?<built>(?:built|partly built|a rule); (?<parts>.+?))(?:; )?)?(?:not built: (?<lacking>.+))?\.$/;

/** Reads the one status of a decision. Returns a text if it cannot be read. */
function statusIn(decision: string): Status | string {
  const [status, ...others] = [...decision.matchAll(/^Status: (.+?)(?:\n\n|\n*$(?![\s\S]))/gms)];
  if (status === undefined) return 'has no status';
  if (others.length > 0) return 'has more than one status';
  const { built, parts, lacking } = form.exec((status[1] ?? '').replaceAll('\n', ' '))?.groups ?? {};
  if (built === undefined && lacking === undefined) return 'has a status of an unknown form';
  return {
    word: built?.split('; ')[0] ?? 'not built',
    built: parts === undefined ? [] : partsIn(parts),
    notBuilt: lacking === undefined ? [] : partsIn(lacking),
  };
}

/** Says what is wrong with the parts of a status, by the word that it begins with. */
function faultOfWord({ word, built, notBuilt }: Status): string[] {
  const hasPart = built.some(({ kind }) => kind !== 'test');
  const hasTest = built.some(({ kind }) => kind === 'test');
  return [
    ...(word !== 'not built' && !hasTest ? ['names no test'] : []),
    ...(word === 'a rule' && hasPart ? ['is a rule and has a part'] : []),
    ...(word === 'built' && !hasPart ? ['is built and has no part'] : []),
    ...((word === 'partly built' || word === 'not built') !== notBuilt.length > 0
      ? [`is ${word} and names ${notBuilt.length} parts that are not built`]
      : []),
  ];
}

const faultsOf = (decision: string): string[] => {
  const status = statusIn(decision);
  if (typeof status === 'string') return [status];
  const unknown = [...status.built, ...status.notBuilt].filter(
    ({ kind }) => kind !== 'test' && !(kind in existing),
  );
  return [
    ...faultOfWord(status),
    ...unknown.map(({ kind }) => `has a part of an unknown kind: ${kind}`),
    ...status.built.filter((part) => !exists(part)).map(({ kind, name }) => `there is no ${kind} ${name}`),
    ...status.notBuilt.filter(exists).map(({ kind, name }) => `${kind} ${name} is built`),
  ];
};

const decisions = read('docs/decisions.md')
  .split(/^### /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n')[0] ?? '', text: text.split(/^## /m)[0] ?? '' }));

test('what each decision says of its state is what the code has', () => {
  expect(decisions.length).toBeGreaterThan(50);
  expect(decisions.flatMap(({ title, text }) => faultsOf(text).map((fault) => `${title}: ${fault}`))).toEqual(
    [],
  );
});

test('every route of REST, every tool and every event is named by a decision', () => {
  const named = decisions.flatMap(({ text }) => {
    const status = statusIn(text);
    return typeof status === 'string' ? [] : status.built.map(({ name }) => name);
  });
  const all = [...restRoutes, ...toolNames, ...eventTypes];
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((name) => !named.includes(name))).toEqual([]);
});

test('nothing but a status says what is built', () => {
  const said = decisions.filter(({ text }) =>
    /\bBuilt\b|\b[Nn]ot built\b/.test(text.replace(/^Status: .*/ms, '')),
  );
  expect(said.map(({ title }) => title)).toEqual([]);
});

describe('the check bites', () => {
  const aTest = 'test `test/unit/docs/decisions.test.ts`';

  test.each([
    ['no status', 'It is built.', 'has no status'],
    ['two', `Status: a rule; ${aTest}.\n\nStatus: a rule; ${aTest}.`, 'has more than one status'],
    ['a word that is none', `Status: done; ${aTest}.`, 'has a status of an unknown form'],
    ['a built one without a test', 'Status: built; event `webhook.test`.', 'names no test'],
    ['a built one without a part', `Status: built; ${aTest}.`, 'is built and has no part'],
    ['a rule with a part', `Status: a rule; event \`webhook.test\`; ${aTest}.`, 'is a rule and has a part'],
    [
      'a kind that is none',
      `Status: built; door \`front\`; ${aTest}.`,
      'has a part of an unknown kind: door',
    ],
    [
      'a test that is gone',
      'Status: a rule; test `test/gone.test.ts`.',
      'there is no test test/gone.test.ts',
    ],
    ['a file that is no test', 'Status: a rule; test `package.json`.', 'there is no test package.json'],
    ['a route that is gone', `Status: built; \`GET /gone\`; ${aTest}.`, 'there is no route GET /gone'],
    ['another method', `Status: built; \`PUT /webhooks\`; ${aTest}.`, 'there is no route PUT /webhooks'],
    ['a page that is a form', `Status: built; page \`/sign-out\`; ${aTest}.`, 'there is no page /sign-out'],
    ['what was built since', 'Status: not built: setting `decisions`.', 'setting decisions is built'],
    [
      'a part that was built since',
      `Status: partly built; event \`webhook.test\`; ${aTest}; not built: tool \`health\`, page \`/gone\`.`,
      'tool health is built',
    ],
    [
      'half of it without the other half',
      `Status: partly built; ${aTest}.`,
      'is partly built and names 0 parts that are not built',
    ],
  ])('refuses %s', (_, text, fault) => {
    expect(faultsOf(`1. A decision\n\n${text}\n\n`)).toContainEqual(fault);
  });

  test.each([
    `Status: built; \`GET /webhooks\`, \`POST /verify/{token}/start\`; page \`/review\`;\nform \`/sign-out\`; ${aTest}.`,
    `Status: built; tool \`health\`; error \`erased\`; command \`link\`; variable \`PORT\`; ${aTest}.`,
    `Status: a rule; ${aTest}.`,
    `Status: partly built; event \`webhook.test\`; ${aTest}; not built: setting \`gone\`, \`gone_too\`; \`GET /gone\`.`,
    'Status: not built: event `gone.completed`.',
  ])('takes %s', (status) => {
    expect(faultsOf(`1. A decision\n\n${status}\n`)).toEqual([]);
    expect(faultsOf(`1. A decision\n\n${status}\n\n## More\n`)).toEqual([]);
  });
});
