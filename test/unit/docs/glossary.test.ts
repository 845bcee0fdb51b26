import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { placeOf } from '#api/console/texts/members.ts';
import { type BrowserFamily, browserFamilies } from '#api/verify/browser-family.ts';
import { cameraAccess } from '#api/verify/texts/camera-access.ts';
import type { Language } from '#contract/enums.ts';
import { reasons } from '#policy/reasons.ts';
import { exceptions, glossary } from '#test/support/documents/glossary.ts';

type Said = { file: string; language: Language; text: string; words: string };

const root = join(import.meta.dirname, '../../..');
const languages = ['nl', 'en'] as const;

/** Each text of a table by its path. A function is its source, so that every branch of it is read. */
function textsOf(value: unknown, path = ''): [text: string, words: string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, child]) =>
    textsOf(child, path === '' ? key : `${path}.${key}`),
  );
}

const isTable = (value: unknown): value is Record<Language, object> =>
  typeof value === 'object' && value !== null && 'nl' in value && 'en' in value;

async function ofFile(file: string): Promise<Said[]> {
  const exported: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href);
  return Object.values(exported)
    .filter(isTable)
    .flatMap((table) =>
      languages.flatMap((language) =>
        textsOf(table[language]).map(([text, words]) => ({ file, language, text, words })),
      ),
    );
}

const files = globSync('api/{console,verify}/texts/**/*.ts', { cwd: root, exclude: ['**/texts.ts'] }).sort();

/** Texts that are no table with both languages. */
const others = languages.flatMap((language): Said[] => [
  {
    ...{ file: 'api/console/texts/members.ts', language, text: 'placeOf' },
    words: placeOf(language, ''),
  },
  ...browserFamilies.map((family: BrowserFamily) => ({
    ...{ file: 'api/verify/texts/camera-access.ts', language, text: family },
    words: cameraAccess(language, family),
  })),
  ...Object.entries(reasons).map(([text, reason]) => ({
    ...{ file: 'shared/policy/reasons.ts', language, text },
    words: reason[language],
  })),
]);

const all = [...(await Promise.all(files.map(ofFile))).flat(), ...others];

/** A whole word: `stuurt` is not in `verstuurt`, `machine` not in `machine-readable`, no half in a word with a soft hyphen, and `ledger` not in `LEDGER_KEY`. */
const whole = (word: string): RegExp => new RegExp(`(?<![\\p{L}_\u00ad-])${word}(?![\\p{L}_\u00ad-])`, 'iu');

const isAllowed = ({ file, text }: Said, word: string): boolean =>
  exceptions.some((each) => each.file === file && each.text === text && each.word === word);

test('every file of texts is read, in both languages', () => {
  const without = files.filter((file) => all.filter((said) => said.file === file).length < 2);
  expect(without).toEqual([]);
  expect(new Set(all.map(({ file }) => file)).size).toBeGreaterThan(30);
  for (const language of languages)
    expect(all.filter((said) => said.language === language).length).toBeGreaterThan(900);
});

describe.each(languages)('in %s', (language) => {
  const ours = all.filter((said) => said.language === language);

  test.each(glossary.map((term) => [term[language], term] as const))('"%s" has no second word', (_, term) => {
    const words = (term.never?.[language] ?? []).map((word) => [word, whole(word)] as const);
    const alone = (term.neverAlone?.[language] ?? []).map(
      (word) => [word, new RegExp(`^${word}$`, 'i')] as const,
    );
    const found = ours.flatMap((said) =>
      [...words, ...alone].flatMap(([word, wrong]) =>
        wrong.test(said.words) && !isAllowed(said, word)
          ? [`${said.file}, ${said.text}: "${word}" in "${said.words}"`]
          : [],
      ),
    );
    expect(found).toEqual([]);
  });
});

test('no term stands twice, and no word of one term is forbidden by another', () => {
  for (const language of languages) {
    const terms = glossary.map((term) => term[language]);
    expect(new Set(terms).size).toBe(terms.length);
    const forbidden = glossary.flatMap((term) => term.never?.[language] ?? []);
    expect(terms.filter((term) => forbidden.some((word) => whole(word).test(term)))).toEqual([]);
  }
});

test.each(exceptions)('the exception for "$word" in $file, $text is needed', ({ file, text, word }) => {
  const said = all.filter((each) => each.file === file && each.text === text);
  expect(said.some(({ words }) => whole(word).test(words))).toBe(true);
});
