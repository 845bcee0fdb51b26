import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { signTexts } from '#api/console/texts/signs.ts';
import { namedValues } from '#api/console/values/sign-values.ts';
import type { Signal } from '#contract/income/papers.ts';
import { hiddenWays, type SignName, signs, unreadableReasons } from '#contract/income/signs.ts';

const judging = fileURLToPath(new URL('../../../activities/checks/income/judging', import.meta.url));
const source = globSync(`${judging}/**/*.ts`)
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

test('the judge gives each sign that has a text, and each that it gives has one', () => {
  const byName = ['name_partial', 'name_mismatch', ...unreadableReasons, ...hiddenWays];
  expect(signs.filter((sign) => !source.includes(`'${sign}'`) && !byName.includes(sign))).toEqual([]);
  const given = [...source.matchAll(/\bsign\(\s*'(\w+)'/g)].map(([, name = '']) => name);
  expect(given.length).toBeGreaterThan(50);
  expect(given.filter((name) => !signs.some((sign) => sign === name))).toEqual([]);
});

test.each(['en', 'nl'] as const)(
  'in %s each sign says in one sentence of its own what was seen',
  (language) => {
    const said = signs.map((sign) => signTexts[language][sign]);
    expect(new Set(said).size).toBe(signs.length);
    for (const text of said) {
      expect(text).toMatch(/^\p{Lu}.*\.$/u);
      expect(text).not.toMatch(/fraud|forge|fake|manipul|tamper|bedrog|vals|gelogen|dader/i);
    }
  },
);

const values = (
  sign: SignName,
  found: string | null,
  expected: string | null,
  language: 'en' | 'nl' = 'en',
) => namedValues(language, { sign, found, expected } as Signal).map(({ name, value }) => `${name}: ${value}`);

test('amounts and days of the judge are written as the reader writes them', () => {
  expect(values('net_sum', '-1.234,56', '0,05')).toEqual([
    ...['On the document: -€1,234.56', 'By calculation: €0.05'],
  ]);
  expect(values('too_old', '2026-05-01 / 2026-05-31', null, 'nl')).toEqual([
    'Op het document: 1 mei 2026 – 31 mei 2026',
  ]);
  expect(values('missing', null, 'minimum_wage')).toEqual(['Not found: the legal minimum wage']);
  expect(values('type_not_wanted', 'payslip', null, 'nl')).toEqual(['Op het document: Loonstrook']);
});

test('what a document says stays as it is, and only the beginning of a long text is shown', () => {
  expect(values('replaced', '1.234,56', '2026-05-01')).toEqual(['Seen: 1.234,56', 'Underneath: 2026-05-01']);
  expect(values('laid_over', 'x'.repeat(2_000), null)[0]).toHaveLength('Seen: '.length + 201);
  expect(values('net_sum', 'not an amount', null)).toEqual(['On the document: not an amount']);
});
