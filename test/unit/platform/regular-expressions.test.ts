import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { toolLists } from '#api/mcp/describe.ts';
import { describeApi } from '#api/rest/openapi.ts';
import { routes } from '#api/rest/routes.ts';

/**
 * A pattern that backtracks lets one caller block all others. The test collects the patterns in the source of the product, in its
 * published schemas and in the example of the guide. Then it applies each pattern to longer and longer texts of the pattern's own
 * characters.
 */

const root = join(import.meta.dirname, '../../..');
const sources = globSync('{api,shared,workflows,activities,worker}/**/*.ts', { cwd: root }).concat(
  'docs/guide/verify-webhook.mjs',
);

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const literal =
  /(?<=(?:[(,=:[!&|?{};\n]|=>|return)\s*)\/(?![*/\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)(?=[\s.,;)\]])/g;

const patternsIn = (source: string): RegExp[] =>
  [...source.replaceAll(comments, '').matchAll(literal)].map(
    ([, body = '', flags]) => new RegExp(body, flags),
  );

const ofSources = sources.flatMap((file) =>
  patternsIn(readFileSync(join(root, file), 'utf8')).map((pattern) => [file, pattern] as const),
);

function patternsOfSchemas(part: unknown): string[] {
  const found = new Set<string>();
  JSON.stringify(part, (name, value) => {
    if (name === 'pattern' && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found];
}
const ofSchemas = patternsOfSchemas([describeApi(routes), toolLists]).map(
  (source) => ['a schema', new RegExp(source, 'u')] as const,
);

// Every text is searched to its end, so the duration of a test depends on the machine. The test judges only the growth.
vi.setConfig({ testTimeout: 60_000 });

/** Returns at most 14 characters: those of the pattern, one for each character class in the pattern, and a few common ones. */
function alphabetOf({ source }: RegExp): string[] {
  const own = source.replaceAll(/\\[a-zA-Z]|\(\?[:=!<]*|[\\()[\]{}|^$.*+?]/g, '');
  const ofClasses = Object.entries({ d: '0', w: 'a', s: ' ', S: 'a', D: 'a', W: '-' })
    .filter(([name]) => source.includes(`\\${name}`))
    .map(([, character]) => character);
  return [...new Set([...own, ...ofClasses, 'a', '0', ' ', '"'])].slice(0, 14);
}

/** Beginnings that match the fixed parts of a pattern. */
const beginningsOf = ({ source }: RegExp): string[] => [
  '',
  source.match(/[\w:@-]{2,}/)?.[0] ?? '',
  ...(source.match(/^\^?([\w]+)/)?.slice(1) ?? []),
];

const pumpsOf = (pattern: RegExp): string[] => {
  const alphabet = alphabetOf(pattern);
  return [...alphabet, ...alphabet.flatMap((a) => alphabet.map((b) => a + b))];
};

function msToSearch(search: RegExp, text: string): number {
  const startedAt = performance.now();
  search.test(text);
  return performance.now() - startedAt;
}

/**
 * Lengths grow in small steps, so that a pattern with exponential time is stopped early. A good pattern needs microseconds for each
 * text.
 */
const lengths = [...Array.from({ length: 13 }, (_, step) => 16 + 4 * step), 128, 256, 512];
const [short, long] = [2_048, 8_192];
const noticeableMs = 20;
/** Quadratic time takes many times longer for the shorter text, and linear time a small part of it. */
const worthALookMs = 0.5;

/** Returns the form of the first text for which the pattern takes too long, or undefined. */
function weakness(given: RegExp): string | undefined {
  const pattern = new RegExp(given.source, given.flags.replace(/[gy]/g, ''));
  for (const beginning of new Set(beginningsOf(pattern)))
    for (const pump of pumpsOf(pattern))
      for (const ending of ['\u0001', '']) {
        const textOf = (length: number) => beginning + pump.repeat(length / pump.length) + ending;
        if (takesTooLong(pattern, textOf)) return `${beginning}(${pump})*${JSON.stringify(ending)}`;
      }
  return undefined;
}

function takesTooLong(pattern: RegExp, textOf: (length: number) => string): boolean {
  if (lengths.some((length) => isNoticed(pattern, textOf(length)))) return true;
  if (leastMs(pattern, textOf(short), worthALookMs) < worthALookMs) return false;
  // For four times the length, linear time grows by a factor of 4 and quadratic time by a factor of 16. The limit is between them.
  return (
    isNoticed(pattern, textOf(long)) && leastMs(pattern, textOf(long)) > 8 * leastMs(pattern, textOf(short))
  );
}

/** The search is repeated, since one slow search can be caused by the machine. */
const isNoticed = (pattern: RegExp, text: string) =>
  msToSearch(pattern, text) > noticeableMs && msToSearch(pattern, text) > noticeableMs;

/** The least time of three searches. What is less than `enoughMs` is not searched for again. */
function leastMs(pattern: RegExp, text: string, enoughMs = 0): number {
  let least = msToSearch(pattern, text);
  for (let again = 0; again < 2 && least >= enoughMs; again++)
    least = Math.min(least, msToSearch(pattern, text));
  return least;
}

/** Each pattern once, with the first file that has it. */
const patterns = new Map(
  [...ofSchemas, ...ofSources].map(([file, pattern]) => [String(pattern), [file, pattern] as const]),
);

describe('every pattern takes time in proportion to its text', () => {
  test.each([...patterns.values()])('%s: %s', (_, pattern) => {
    expect(weakness(pattern)).toBeUndefined();
  });
});

test('the patterns that callers can reach are among those found', () => {
  const found = ofSources.map(([file, { source }]) => `${file} ${source}`);
  for (const known of [
    'api/middleware/body.ts ^charset="?utf-8"?$',
    'api/middleware/well-formed.ts',
    'shared/services/keys/authenticate.ts ^Bearer +(\\S+) *$',
    'shared/contract/fields.ts ^[ -~]+$',
    'shared/services/views/link.ts ^[A-Za-z0-9_-]{64}$',
    'shared/platform/outbound/addresses.ts ^[a-z0-9_-]{1,63}$',
    'docs/guide/verify-webhook.mjs',
  ])
    expect(found).toContainEqual(expect.stringContaining(known));
  expect(ofSources.length).toBeGreaterThan(25);
  expect(ofSchemas.length).toBeGreaterThan(2);
});

test('no pattern is put together at run time', () => {
  const builders = sources.filter((file) => /new RegExp\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(builders).toEqual([]);
});

test.each([
  /^(a+)+$/,
  /\s+$/,
  /^(\w+\s?)*$/,
  /(x+x+)+y/,
  /^svc_(\d|\w)*!$/,
  /".*",/,
  /^(([a-z])+.)+[A-Z]([a-z])+$/,
])('the check bites: %s backtracks', (pattern) => {
  expect(weakness(pattern)).toBeDefined();
});
