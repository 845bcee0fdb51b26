import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { texts } from '#api/verify/texts/texts.ts';

type Leaf = string | ((...given: never[]) => string);

/** Every text by its path, for example `done.byMachine.title`. */
function leavesOf(value: object, path = ''): [path: string, leaf: Leaf][] {
  return Object.entries(value).flatMap(([key, child]): [string, Leaf][] => {
    const here = path === '' ? key : `${path}.${key}`;
    return typeof child === 'object' && child !== null ? leavesOf(child, here) : [[here, child]];
  });
}

const values = { organisation: 'Acme', pictureDays: 30, resultYears: 5, unfinishedDays: 90 };

/** What a text may be given: the name of an organisation, or the numbers of a period, of the progress or of a wait. */
const given = Object.assign('Acme', values, { current: 2, of: 4, name: 'Acme', minutes: 3 });

const said = (leaf: Leaf): string =>
  typeof leaf === 'string' ? leaf : leaf(...([given, 'Acme'] as never[]));

const languages = Object.entries(texts).map(([language, all]) => [language, new Map(leavesOf(all))] as const);
const [[, dutch], [, english]] = languages as [(typeof languages)[0], (typeof languages)[0]];

test('no language lacks a text, and none has one that another lacks', () => {
  expect([...english.keys()].sort()).toEqual([...dutch.keys()].sort());
  expect(dutch.size).toBeGreaterThan(120);
});

test.each(languages)('in %s every text says something, and names what the other language names', (_, all) => {
  for (const [path, leaf] of all) {
    const text = said(leaf);
    expect(text.trim(), path).not.toBe('');
    expect(text, path).not.toMatch(/undefined|NaN|\[object|\{|\}|TODO/);
    const other = said(english.get(path) ?? '');
    for (const [name, value] of Object.entries(values))
      expect(text.includes(`${value}`), `${path} names ${name}`).toBe(other.includes(`${value}`));
  }
});

/** Plain language (B1): a sentence has one thought. */
const wordsMax = 25;

test.each(languages)('in %s no sentence is too long', (_, all) => {
  const long = [...all].flatMap(([path, leaf]) =>
    said(leaf)
      .split(/(?<=[.!?:])\s+/)
      .filter((sentence) => sentence.split(/\s+/).length > wordsMax)
      .map((sentence) => `${path}: ${sentence}`),
  );
  expect(long).toEqual([]);
});

test.each(languages)(
  'in %s a photo that is too large is refused with two ways to a smaller one',
  (_, all) => {
    for (const fault of ['too_heavy', 'too_large']) {
      const text = said(all.get(`faults.${fault}`) ?? '');
      expect(text, fault).toMatch(/resoluti(on|e)/);
      expect(text, fault).toMatch(/screenshot|schermafbeelding/);
    }
  },
);

test('Dutch addresses the person as "u", and no text of one language is left in the other', () => {
  for (const [path, leaf] of dutch) {
    expect(said(leaf), path).not.toMatch(/\b(je|jij|jouw|jullie)\b/i);
    const same = said(leaf) === said(english.get(path) ?? '');
    // "Contact:" is both.
    expect(same && said(leaf).split(/\s+/).length > 2, path).toBe(false);
  }
});

describe('the console', async () => {
  const folder = fileURLToPath(new URL('../../../api/console/texts', import.meta.url));
  const files = globSync(`${folder}/**/*.ts`, { exclude: ['**/texts.ts'] });
  const tables: [string, { nl: object; en: object }][] = [];
  for (const file of files) {
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
    for (const [name, table] of Object.entries(exported))
      if (typeof table === 'object' && table !== null && 'nl' in table && 'en' in table)
        tables.push([`${basename(file)} ${name}`, table as { nl: object; en: object }]);
  }
  /** Words of the field that Dutch uses too. */
  const alike = ['Open workflows: 7', 'Workflow in Temporal'];
  /** A function of these texts takes numbers and names. */
  const saying = (leaf: Leaf): string =>
    typeof leaf === 'string' ? leaf : leaf(...(['7', '8', '9', '10'] as never[]));

  test('has its texts in files that are found here', () => {
    expect(tables.length).toBeGreaterThanOrEqual(16);
  });

  test.each(tables)('%s: no text is missing or empty, and no English is left in Dutch', (_, { nl, en }) => {
    const [inDutch, inEnglish] = [new Map(leavesOf(nl)), new Map(leavesOf(en))];
    expect([...inDutch.keys()].sort()).toEqual([...inEnglish.keys()].sort());
    const same: string[] = [];
    for (const [path, leaf] of inDutch) {
      const [ours, theirs] = [saying(leaf), saying(inEnglish.get(path) ?? '')];
      for (const text of [ours, theirs]) {
        // Some settings need no hint.
        if (!path.startsWith('hints.')) expect(text.trim(), path).not.toBe('');
        expect(text, path).not.toMatch(/undefined|NaN|\[object|TODO/);
      }
      expect(ours === '', path).toBe(theirs === '');
      expect(ours, path).not.toMatch(/\b(je|jij|jouw|jullie)\b/i);
      if (ours === theirs && ours.split(/\s+/).length > 2 && !alike.includes(ours))
        same.push(`${path}: ${ours}`);
    }
    expect(same).toEqual([]);
  });
});
