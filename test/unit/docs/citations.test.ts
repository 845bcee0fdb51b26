import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirements } from '#test/requirements.ts';
import {
  anchorsOf,
  commentsIn,
  decisionsIn,
  formOf,
  hashCommentsIn,
  linksIn,
  numbersOf,
  pathsIn,
  sectionsIn,
  withoutComments,
  withoutMarks,
} from '#test/support/documents/citations.ts';

const root = join(import.meta.dirname, '../../..');
const sources = new Map<string, string>();
function read(file: string): string {
  const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
  sources.set(file, source);
  return source;
}

const listFiles = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
const files = execFileSync('git', listFiles, { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && existsSync(join(root, file)));
const foldersAbove = (file: string): string[] =>
  file.includes('/') ? [posix.dirname(file), ...foldersAbove(posix.dirname(file))] : [];
const folders = [...new Set(files.flatMap(foldersAbove))];
const topFolders = folders.filter((folder) => !folder.includes('/'));
const paths = [...files, ...folders];
const known = new Set(paths);

const decisions = numbersOf(read('docs/decisions.md'));
const sections = numbersOf(read('docs/specification.md'));

const isCode = (file: string) => /\.(?:ts|mjs|js|css)$/.test(file);
const isMarkdown = (file: string) => file.endsWith('.md');
const hasHashComments = (file: string) => /\.ya?ml$|^Dockerfile$|^\.env\.example$|^\.ci\/run$/.test(file);

/** The text in which numbers are searched. In code it includes strings, such as the titles of tests. */
const textOf = (file: string, source: string) => (isMarkdown(file) ? source : withoutMarks(source));

/** The text in which paths are searched. In code it is the comments only, since tests use invented paths in strings. */
const proseOf = (file: string, source: string) =>
  isMarkdown(file) ? source : isCode(file) ? commentsIn(source) : hashCommentsIn(source);

const missing = (defined: readonly string[], cited: readonly string[]) =>
  cited.filter((number) => !defined.includes(number));

const faultsOfNumbers = (text: string): string[] => [
  ...missing(decisions, decisionsIn(text)).map((number) => `there is no decision ${number}`),
  ...missing(sections, sectionsIn(text)).map((number) => `the specification has no ${number}`),
];

function existing(path: string): string[] {
  if (!/[*<{]/.test(path)) return known.has(path) ? [path] : [];
  const form = formOf(path);
  return paths.filter((one) => form.test(one));
}

/** A path must exist in one of the folders `bases`. If it does not, exactly one path of the repository must end with it. */
function faultOfPath(cited: string, bases: readonly string[]): string | undefined {
  const [name = '', anchor] = cited.split('#');
  const path = name.replace(/\/$/, '');
  const [exact] = bases.flatMap((base) => existing(posix.join(base, path)));
  const meant = exact === undefined ? paths.filter((one) => one.endsWith(`/${path}`)) : [exact];
  if (meant.length > 1) return `${name} can be ${meant.join(' or ')}`;
  return meant[0] === undefined ? `there is no ${name}` : faultOfAnchor(meant[0], anchor);
}

function faultOfAnchor(path: string, anchor: string | undefined): string | undefined {
  if (anchor === undefined || !isMarkdown(path) || anchorsOf(read(path)).includes(anchor)) return undefined;
  return `${path} has no heading #${anchor}`;
}

/** If a line names several paths, each of them may be relative to the folder of another one. */
function faultsOfPaths(file: string, line: string): string[] {
  const cited = pathsIn(line, topFolders);
  const beside = cited.map((path) => (path.endsWith('/') ? path : posix.dirname(path)));
  const bases = ['', 'shared', posix.dirname(file), ...beside, ...beside.map((folder) => `shared/${folder}`)];
  return cited.flatMap((path) => faultOfPath(path, bases) ?? []);
}

/** A link is relative to its own file only. */
const faultsOfLinks = (file: string, line: string): string[] =>
  linksIn(line).flatMap((target) => {
    const [name = '', anchor] = target.split('#');
    const path = name === '' ? file : posix.join(posix.dirname(file), name).replace(/\/$/, '');
    return known.has(path) ? (faultOfAnchor(path, anchor) ?? []) : `the link ${target} leads nowhere`;
  });

function faultsOf(file: string, source: string): string[] {
  const ofLines = proseOf(file, source)
    .split('\n')
    .flatMap((line, at) =>
      [...faultsOfPaths(file, line), ...(isMarkdown(file) ? faultsOfLinks(file, line) : [])].map(
        (fault) => `${file}:${at + 1}: ${fault}`,
      ),
    );
  const ofNumbers = faultsOfNumbers(textOf(file, source)).map((fault) => `${file}: ${fault}`);
  return [...new Set([...ofNumbers, ...ofLines])];
}

const citing = files.filter((file) => isCode(file) || isMarkdown(file) || hasHashComments(file));

test('every decision, section, file and heading that a comment, a document or a test names exists', () => {
  expect(citing.flatMap((file) => faultsOf(file, read(file)))).toEqual([]);
});

test('every requirement stands under a section of the specification', () => {
  expect(
    missing(
      sections,
      requirements.map(({ section }) => section),
    ),
  ).toEqual([]);
});

test('decisions are numbered without a gap, and each has its reason', () => {
  expect(decisions).toEqual(decisions.map((_, at) => String(at + 1)));
  const [, ...texts] = read('docs/decisions.md').split(/^### /m);
  expect(texts.filter((text) => !/^Why: /m.test(text))).toEqual([]);
});

/** If the search misses citations, it finds no fault either. So this test counts what the search finds. */
test('citations are found', () => {
  const count = (find: (text: string) => string[], partOf: typeof textOf) =>
    citing.flatMap((file) => find(partOf(file, read(file)))).length;
  expect(count(decisionsIn, textOf)).toBeGreaterThan(200);
  expect(count(sectionsIn, textOf)).toBeGreaterThan(120);
  expect(count((text) => pathsIn(text, topFolders), proseOf)).toBeGreaterThan(400);
});

/** Code outside comments contains every text that the product sends: errors, log lines, descriptions, pages. */
const isProduct = (file: string) => /^(?:api|workflows|activities|worker|shared)\//.test(file);
const isForPartners = (file: string) => /^docs\/(?:guide\/|agents\.md$)|^test\/pins\//.test(file);
const law = /\bdecisions? \d+|\bspecification \d[\d.]*|\b(?:the|our) specification\b/gi;

const lawIn = (file: string, text: string) => (text.match(law) ?? []).map((words) => `${file}: ${words}`);

test('no text for partners or operators speaks of decisions or of sections of the specification', () => {
  expect([
    ...files.filter(isForPartners).flatMap((file) => lawIn(file, read(file))),
    ...files
      .filter((file) => isProduct(file) && isCode(file))
      .flatMap((file) => lawIn(file, withoutComments(read(file)))),
  ]).toEqual([]);
});

describe('the check bites', () => {
  const beyond = decisions.length + 1;

  test.each([
    ['a decision that does not exist', `/** As in decision ${beyond}. */`, `decision ${beyond}`],
    ['a range that ends beyond the last', `// decisions 49 to ${beyond}`, `decision ${beyond}`],
    ['a section that does not exist', `/** Specification ${'10'}.1. */`, 'no 10.1'],
    ['a rule that does not exist', `/** Rule ${'7'} of 4.1. */`, 'no 4.1.7'],
    [
      'a file that does not exist',
      '/** See api/rest/mounted.ts. */',
      'api/x.ts:1: there is no api/rest/mounted.ts',
    ],
    [
      'a folder that does not exist',
      '\n\n// test/benches/ holds it',
      'api/x.ts:3: there is no test/benches/',
    ],
    ['a name that several files have', '// as in 200.test.ts', 'can be'],
    ['a heading that does not exist', '// docs/security.md#nothing', 'no heading #nothing'],
  ])('refuses %s', (_, source, fault) => {
    expect(faultsOf('api/x.ts', source)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ['a link to nowhere', '[here](x.md)', 'the link x.md leads nowhere'],
    ['a link that would be right from the root', '[here](docs/security.md)', 'leads nowhere'],
    ['a heading that does not exist', '[here](../decisions.md#nothing)', 'no heading #nothing'],
  ])('refuses in a document %s', (_, source, fault) => {
    expect(faultsOf('docs/guide/x.md', source)).toContainEqual(expect.stringContaining(fault));
  });

  test('takes what exists: from the root, from shared, beside the file or beside another path, and short forms', () => {
    const cited = [
      'api/rest/mount.ts, routes.ts and policy/retention.ts; ./mcp/call.ts, `#platform/clock.ts`',
      'docs/decisions.md#21-idempotency, test/{unit,integration}/docs/, shared/services/<noun>/<verb>.ts',
    ];
    expect(faultsOf('api/x.ts', `/**\n * ${cited.join('\n * ')}\n */`)).toEqual([]);
  });

  test('finds the law in a text for partners', () => {
    expect(lawIn('a log line', "decision 3's rules refused it")).toEqual(['a log line: decision 3']);
    expect(lawIn('a tag', 'An addition to the specification')).toHaveLength(1);
  });
});
