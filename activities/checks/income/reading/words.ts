import type { Word } from '#contract/income/papers.ts';
import type { Character } from './characters.ts';

/** A word with what is needed to find out what lies over what. */
export type PlacedWord = Word & { at: number; coveredAt: number };

/** Characters further apart than this share of their size belong to two words. */
const gapMax = 0.18;
/** A longer run is more than one word. */
const textMax = 250;
/** Characters on one line have the same foot, but for this share of their size. */
const baseDifferenceMax = 0.2;
/** A second drawing of the same character this near is no other character. It makes print bold. */
const doubleMax = 0.3;
/** The largest difference in size between the digits of one amount, as a share of the size. */
const sizeDifferenceMax = 0.04;
/** The largest distance between the feet of the digits of one amount, as a share of their size. */
const digitBaseMax = 0.04;

/** Words by their places on the page alone, whatever order they were drawn in. Hidden characters make words of their own. */
export function wordsOf(characters: readonly Character[]): PlacedWord[] {
  const kinds = Map.groupBy(characters, ({ hidden, turned }) => `${hidden} ${turned}`);
  return [...kinds.values()]
    .flatMap(linesOf)
    .flatMap((line) => spacedOut(splitLine(line)))
    .map(wordOf)
    .toSorted((one, other) => one.box[1] - other.box[1] || one.box[0] - other.box[0]);
}

/** Turned characters stay in the order in which they were drawn, and each is a line of its own kind. */
function linesOf(characters: readonly Character[]): Character[][] {
  if (characters[0]?.turned) return [[...characters]];
  const lines: Character[][] = [];
  for (const character of characters.toSorted((one, other) => one.base - other.base)) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line && last && character.base - last.base <= baseDifferenceMax * Math.min(last.size, character.size))
      line.push(character);
    else lines.push([character]);
  }
  return lines.map((line) => line.toSorted((one, other) => one.box[0] - other.box[0]));
}

function splitLine(line: readonly Character[]): Character[][] {
  const words: Character[][] = [];
  for (const character of line) {
    const last = words.at(-1)?.at(-1);
    if (last && isSame(last, character)) continue;
    // Print that lies on other print makes a word of its own, so that both can be read.
    const open = words.slice(-2).filter((word) => mayGoOn(word, character));
    const word = open.find((each) => each.at(-1)?.at === character.at) ?? open.at(-1);
    if (word) word.push(character);
    else words.push([character]);
  }
  return words;
}

/** Letters that stand apart by the same gap are one word, if there are this many of them. The gap is at most this share of their size. */
const spacedMin = 4;
const spacedGapMax = 0.8;
const gapDifferenceMax = 0.08;

/** Joins words that are set with spaces between their letters, as headings are. */
function spacedOut(words: readonly Character[][]): Character[][] {
  const joined: Character[][] = [];
  for (let start = 0; start < words.length; ) {
    const run = runAt(words, start);
    if (run.length >= spacedMin) joined.push(run.flat());
    else joined.push(...run);
    start += run.length;
  }
  return joined;
}

function runAt(words: readonly Character[][], start: number): Character[][] {
  const run = words.slice(start, start + 1);
  for (let at = start + 1; at < words.length; at++) {
    const [before, last, next] = [words[at - 2], words[at - 1], words[at]];
    if (!last || !next || !isLetter(last) || !isLetter(next)) break;
    const gap = gapOf(last, next);
    const usual = run.length > 1 && before ? gapOf(before, last) : gap;
    if (gap > spacedGapMax || Math.abs(gap - usual) > gapDifferenceMax) break;
    run.push(next);
  }
  return run;
}

const isLetter = (word: readonly Character[]) =>
  word.length === 1 && word[0]?.turned === false && /^\p{L}$/u.test(word[0].text);

/** As a share of the size of the letters. */
function gapOf([one]: readonly Character[], [other]: readonly Character[]): number {
  return one && other ? (other.box[0] - one.box[2]) / Math.max(one.size, other.size) : Number.NaN;
}

/** A ligature is two characters in one place, of one object. */
const isSame = (one: Character, other: Character) =>
  one.at !== other.at &&
  one.text === other.text &&
  Math.abs(one.box[0] - other.box[0]) < doubleMax * (one.box[2] - one.box[0]) &&
  Math.abs(one.base - other.base) < doubleMax * one.size;

function mayGoOn(word: readonly Character[], next: Character): boolean {
  const last = word.at(-1);
  return last !== undefined && word.length < textMax && isNext(last, next) && !crosses(last, next);
}

/** Two digits of two objects share more than this part of the narrower one if one was printed on the other. */
const crossedMin = 0.5;

function crosses(last: Character, next: Character): boolean {
  if (last.at === next.at || !/\d/.test(last.text) || !/\d/.test(next.text)) return false;
  const shared = Math.min(last.box[2], next.box[2]) - Math.max(last.box[0], next.box[0]);
  const narrower = Math.min(last.box[2] - last.box[0], next.box[2] - next.box[0]);
  return shared > crossedMin * narrower;
}

function isNext(last: Character, next: Character): boolean {
  if (last.turned) return last.at === next.at;
  return next.box[0] - last.box[2] <= gapMax * Math.max(last.size, next.size);
}

function wordOf(characters: readonly Character[]): PlacedWord {
  const [first] = characters;
  if (first === undefined) throw new Error('A word has no character');
  const boxes = characters.map(({ box }) => box);
  const digits = characters.filter(({ text }) => /\d/.test(text));
  const fonts = [...Map.groupBy(characters, ({ font }) => font)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const digitFonts = [...new Set(digits.map(({ font }) => font))];
  return {
    text: characters.map(({ text }) => text).join(''),
    box: [
      round(Math.min(...boxes.map(([left]) => left))),
      round(Math.min(...boxes.map(([, top]) => top))),
      round(Math.max(...boxes.map(([, , right]) => right))),
      round(Math.max(...boxes.map(([, , , bottom]) => bottom))),
    ],
    size: round(Math.max(...characters.map(({ size }) => size))),
    font: fonts[0]?.[0] ?? first.font,
    digitFonts: digitFonts.length > 1 ? digitFonts : [],
    uneven: isUneven(digits),
    ...{ turned: first.turned, hidden: first.hidden, over: null },
    at: Math.max(...characters.map(({ at }) => at)),
    coveredAt: Math.max(...characters.map(({ coveredAt }) => coveredAt)),
  };
}
const round = (value: number) => Math.round(value * 100) / 100;

function isUneven(digits: readonly Character[]): boolean {
  const [first] = digits;
  if (first === undefined || first.turned) return false;
  return digits.some(
    ({ size, base }) =>
      Math.abs(size - first.size) > sizeDifferenceMax * first.size ||
      Math.abs(base - first.base) > digitBaseMax * first.size,
  );
}

/** Two boxes lie over each other if they share this part of the smaller one. */
const overlapMin = 0.2;

/** Says for each word over which hidden one it was drawn. */
export function laidOver(words: readonly PlacedWord[]): Word[] {
  const covered = words.flatMap((word, place) => (word.hidden === 'covered' ? [{ word, place }] : []));
  return words.map(({ at, coveredAt: _, ...word }) => {
    const under =
      word.hidden === null
        ? covered.find((each) => at > each.word.coveredAt && overlap(word, each.word))
        : undefined;
    return { ...word, over: under?.place ?? null };
  });
}

function overlap({ box: one }: Word, { box: other }: Word): boolean {
  const wide = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const high = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  const smaller = Math.min(...[one, other].map((box) => (box[2] - box[0]) * (box[3] - box[1])));
  return wide > 0 && high > 0 && wide * high >= overlapMin * smaller;
}
