import { expect, test } from 'vitest';
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
} from '#test/support/documents/citations.ts';

test.each([
  ['as decision 21 says', ['21']],
  ["Decision 25's order; decisions 1 and 2.", ['25', '1', '2']],
  ['(decisions 3, 5, 8 and 28 to 31)', ['3', '5', '8', '28', '29', '30', '31']],
  ['a decision, 12 checks and 3 decisions', []],
  ['of two lines: decision\n12, 3 checks', ['12']],
])('decisions in: %s', (text, numbers) => {
  expect(decisionsIn(text).toSorted()).toEqual(numbers.toSorted());
});

test.each([
  ['Specification 2.6, 3, 5.4; decision 16', ['2.6', '3', '5.4']],
  ['(specification 4, 7.1).', ['4', '7.1']],
  ['section 6.3 of the specification, and § 8', ['6.3', '8']],
  ['specification 3, rules 3 and 4 of 4.1', ['3', '4.1.3', '4.1.4']],
  ['specification 2.3 and rule 5 of 4.1', ['2.3', '4.1.5']],
  ['specification\n6.4', ['6.4']],
  ['the specification has 9 of them', []],
])('sections in: %s', (text, numbers) => {
  expect(sectionsIn(text)).toEqual(numbers);
});

test('a document defines the numbers of its headings and of the items below them', () => {
  const markdown =
    '# Title\n\n## 4. Four\n\n### 4.1 One\n\n1. a\n   2. no item\n2. b\n\n## 5. Five\n1. c\n### Six\n';
  expect(numbersOf(markdown)).toEqual(['4', '4.1', '4.1.1', '4.1.2', '5', '5.1']);
});

test('anchors are those of code hosts', () => {
  expect(anchorsOf('# One `two`, three\n## 4.1 A/b: c_d-e\ntext')).toEqual(['one-two-three', '41-ab-c_d-e']);
});

const folders = ['api', 'docs', 'test'];

test.each([
  [
    'see `api/rest/mount.ts`, (turns.ts) and docs/security.md.',
    ['api/rest/mount.ts', 'turns.ts', 'docs/security.md'],
  ],
  ['`test/pins`, test/vectors/ and docs/licences', ['test/pins', 'test/vectors/', 'docs/licences']],
  ['#platform/outbound/addresses.ts:12 or ../app.ts', ['platform/outbound/addresses.ts', '../app.ts']],
  ['docs/security.md#reporting', ['docs/security.md#reporting']],
  ['test/{unit,e2e}/**/*.test.ts, <noun>/<verb>.ts', ['test/{unit,e2e}/**/*.test.ts', '<noun>/<verb>.ts']],
  ['https://example.com/docs/a.md, /v1/api/x, @koa/router, koa/lib/errors.js, Node.js, .ts', []],
  ['and/or, application/json, 2/3, api, verification/{id}, ~/api/x.ts', []],
])('paths in: %s', (text, paths) => {
  expect(pathsIn(text, folders)).toEqual(paths);
});

test('links of a document, without those to the web', () => {
  expect(linksIn('[a](b.md) [c](../d/#e), ![f](g.svg) [h](https://i) [j](mailto:k)')).toEqual([
    'b.md',
    '../d/#e',
    'g.svg',
  ]);
});

const source = [
  "import { a } from './a.ts'; // why a",
  "const url = 'https://b/**/c.ts';",
  '/**',
  ' * One thing,',
  ' * and another. */',
  'const glob = `d/**/*.ts`; /* e */',
].join('\n');

test('comments keep their lines and lose their marks', () => {
  expect(
    commentsIn(source)
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(['why a', '', '', 'One thing,', 'and another.', 'e']);
  expect(hashCommentsIn('a: b # c\n# d\ne: f#g')).toBe(' c\n d\n');
});

test('what is left without comments is the code', () => {
  expect(withoutComments(source).split('\n')).toEqual([
    "import { a } from './a.ts'; ",
    "const url = 'https://b/**/c.ts';",
    '',
    '',
    '',
    'const glob = `d/**/*.ts`; ',
  ]);
});

test('a short form stands for several names', () => {
  const isMeant = (form: string, path: string) => formOf(form).test(path);
  expect(isMeant('a/{b,c}.ts', 'a/c.ts')).toBe(true);
  expect(isMeant('a/{b,c}.ts', 'a/d.ts')).toBe(false);
  expect(isMeant('a/<noun>.ts', 'a/b-c.ts')).toBe(true);
  expect(isMeant('a/*.ts', 'a/b/c.ts')).toBe(false);
  expect(isMeant('a/**/*.ts', 'a/b/c.ts')).toBe(true);
  expect(isMeant('a/**/*.ts', 'a/c.ts')).toBe(true);
});
