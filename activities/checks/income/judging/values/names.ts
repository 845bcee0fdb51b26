import { plain } from './sheet.ts';

/** Dutch and other prefixes that stand before a surname, and forms of address. */
const prefixes = new Set(
  'de den der van ten ter te la le du da dos di el al het t op in aan bij onder von zu zum af'.split(' '),
);
const titles = new Set('dhr mw mevr mevrouw heer mr drs ing ir dr prof mrs ms miss'.split(' '));

const wordsIn = (text: string) =>
  plain(text)
    .split(' ')
    .filter((word) => word !== '' && !titles.has(word));

export type NameMatch = 'match' | 'partial' | 'mismatch';

/**
 * Compares a name with the text of a paper. A paper may have initials for given names, the surname first, and the name of a partner before
 * or behind. `text` is in plain letters.
 */
export function nameIn(name: string, lines: readonly string[]): NameMatch {
  const words = wordsIn(name);
  const surnames = surnamesOf(name);
  const [given = ''] = words;
  let best: NameMatch = 'mismatch';
  for (const line of lines.map(wordsIn)) {
    const at = line.findIndex((word) => surnames.includes(word));
    if (at < 0) continue;
    const others = line.filter((_, place) => place !== at && !isPrefix(line, place));
    if (others.some((word) => isGiven(word, given))) return 'match';
    best = 'partial';
  }
  return best;
}

/** A `t` behind another prefix is one, and else it is an initial. */
function isPrefix(line: readonly string[], place: number): boolean {
  const word = line[place] ?? '';
  return prefixes.has(word) && (word !== 't' || prefixes.has(line[place - 1] ?? ''));
}

/** The last word, and both parts of a name with a hyphen: a paper can have only the own name or only that of a partner. */
function surnamesOf(name: string): string[] {
  const words = wordsIn(name).filter((word) => !prefixes.has(word));
  const joined = name.split(/\s/).filter((part, place) => place > 0 && part.includes('-'));
  const last = words.at(-1);
  const parts = joined.flatMap(wordsIn).filter((word) => !prefixes.has(word));
  return [...new Set([...(last === undefined ? [] : [last]), ...parts])];
}

/** A given name in full, or initials that begin with it: `jan`, `j`, `jw`. */
const isGiven = (word: string, given: string) =>
  given !== '' && (word === given || (word.length <= initialsMax && word[0] === given[0]));

const initialsMax = 4;

/** Two names of persons are of one person if a surname and the first letter agree. */
export const samePerson = (one: string, other: string): boolean =>
  nameIn(one, [other]) === 'match' || nameIn(other, [one]) === 'match' || sameWords(one, other);

function sameWords(one: string, other: string): boolean {
  const [a, b] = [one, other].map(
    (name) => new Set(wordsIn(name).filter((word) => word.length > 2 && !prefixes.has(word))),
  );
  return a !== undefined && b !== undefined && [...a].some((word) => b.has(word));
}

const legalForms =
  /\b(?:b ?v|n ?v|v ?o ?f|holding|nederland|netherlands|stichting|gemeente|groep|group|gmbh|ltd|inc|cooperatie|u ?a)\b/g;

/** The name of an employer without its legal form. */
export const employerKey = (name: string): string => plain(name).replace(legalForms, ' ').replace(/\s+/g, '');

/** Two names are of one employer if one begins with the other. A paper may cut it. */
export function sameEmployer(one: string, other: string): boolean {
  const [a, b] = [employerKey(one), employerKey(other)];
  const shorter = Math.min(a.length, b.length);
  return shorter >= keyMin && (a.startsWith(b) || b.startsWith(a));
}

const keyMin = 4;

export const looksLikeEmployer = (text: string): boolean =>
  /\b(?:B\.?V\.?|N\.?V\.?|V\.?O\.?F\.?|Stichting|Gemeente|Holding|GmbH|Ltd|Inc|Co[öo]peratie|Universiteit|Vereniging)(?=[\s,.)]|$)/.test(
    text,
  );
