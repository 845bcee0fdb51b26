import { datesIn, type PrintedDate } from './dates.ts';
import { distanceOf, type LabelKind, labelOf, reach, saysEndless, wordsOf } from './labels.ts';
import type { PrintLine } from './readings.ts';
import { isSpelt } from './spelling.ts';

/**
 * Searches the printed text for values of the machine-readable zone. The zone writes names, numbers and dates differently from the
 * print.
 */
export type Printed = {
  dates: readonly (PrintedDate & { line: PrintLine })[];
  /** Whether the print says in words that the document has no end: as its date of expiry, or somewhere. */
  endless: 'as expiry' | 'somewhere' | undefined;
  /** The lines with this number. */
  numberLines(number: string): PrintLine[];
  /**
   * The lines with this name, if it stands below or beside the label of such names, and no other name does. Its parts have spaces between
   * them. `isCut` is true if the zone had no room for the whole name.
   */
  nameLines(kind: NameKind, name: string, isCut?: boolean): PrintLine[];
  /** True if any name stands below or beside the label of such names. */
  hasAnyName(kind: NameKind): boolean;
};

export type NameKind = Extract<LabelKind, 'surname' | 'given'>;

type Read = { line: PrintLine; words: string[]; label: LabelKind | undefined };

export function printedOf(lines: readonly PrintLine[]): Printed {
  const read = lines.map((line): Read => {
    const words = wordsOf(line.text);
    // What was not read stands over digits. It is the label of something else.
    return { line, words, label: words.length === 0 ? 'other' : labelOf(words) };
  });
  return {
    dates: lines.flatMap((line) => datesIn(line.text).map((date) => ({ ...date, line }))),
    endless: endlessIn(read),
    numberLines: (number) => read.filter(({ words }) => sayNumber(words, number)).map(({ line }) => line),
    nameLines: (kind, name, isCut = false) => linesOfName(name, isCut, groupsOf(kind, read)),
    hasAnyName: (kind) => groupsOf(kind, read).some(({ values }) => values.length > 0),
  };
}

/** Only the place of the date of expiry says what has no end: a right of residence may have none while its card has one. */
function endlessIn(lines: readonly Read[]): Printed['endless'] {
  const saying = lines.filter(({ line }) => saysEndless(line.text));
  if (saying.length === 0) return undefined;
  const labels = lines.filter(({ label }) => label !== undefined);
  const isOfExpiry = (read: Read) => (read.label ?? nearestLabel(read, labels)?.label) === 'expiry';
  return saying.some(isOfExpiry) ? 'as expiry' : 'somewhere';
}

/** In many fonts of documents, O has the same shape as 0, and I has the same shape as 1. */
const alikeInPrint = (text: string) => text.replaceAll('O', '0').replaceAll('I', '1');

/**
 * True if some neighbouring words of a line make up the number when they are joined. The recogniser can lose spaces, a label can precede
 * the number, and the print can have signs within it.
 */
function sayNumber(words: readonly string[], number: string): boolean {
  const wanted = alikeInPrint(number);
  return (
    wanted !== '' &&
    words.some((_, start) =>
      words.some((_, end) => alikeInPrint(words.slice(start, end + 1).join('')) === wanted),
    )
  );
}

/**
 * The lines below or beside one label, in the order of reading. `below` are those that follow without a label near, since a long name takes two
 * lines.
 */
type Group = { label: PrintLine; values: PrintLine[]; below: PrintLine[][] };

/** A line without a label in it, and the nearest label. */
type Value = { line: PrintLine; under: Read | undefined };

function groupsOf(kind: NameKind, lines: readonly Read[]): Group[] {
  const labels = lines.filter(({ label }) => label !== undefined);
  const values = lines
    .filter(({ label }) => label === undefined)
    .map((value): Value => ({ line: value.line, under: nearestLabel(value, labels) }));
  const loose = values.filter(({ under }) => under === undefined).map(({ line }) => line);
  return labels
    .filter(({ label }) => label === kind)
    .map((label): Group => {
      const isOwn = ({ line, under }: Value) => under === label && !isFigureBeside(line, label.line);
      const own = values.filter(isOwn).map(({ line }) => line);
      const last = own.toSorted(byReading).at(-1) ?? label.line;
      const apart = values.filter((value) => value.under !== label && isApart(value)).map(({ line }) => line);
      const below = linesBelow(last, loose).map((line) => withBeside([line], apart));
      return { label: label.line, values: withBeside(own, apart), below };
    });
}

/** How far to the left of its label a value begins at most, in heights. */
const overhangMax = 1;

/** True if a line has no label near, or begins before the one it has: a name that runs into the value of the next column is read as one with it. */
const isApart = ({ line, under }: Value): boolean =>
  under === undefined || under.line.left - line.left > overhangMax * line.height;

/**
 * True for a number in the line of a label. Where its own label is missing, the next one is that of the name beside it, as on the page of a
 * Dutch passport. One or two digits can be letters that were misread, and letters would be a name.
 */
const isFigureBeside = (line: PrintLine, label: PrintLine): boolean =>
  Math.abs(line.middle - label.middle) < line.height / 2 && /\d\D*\d\D*\d/.test(line.text);

/**
 * Lines with those beside them that have no label near. A wide gap parts a name into two lines, so a name that was added behind one would
 * otherwise stand apart and count for nothing.
 */
const withBeside = (own: readonly PrintLine[], apart: readonly PrintLine[]): PrintLine[] =>
  [...own, ...apart.filter((other) => own.some((line) => isBeside(other, line)))].toSorted(byReading);

/** A figure, and print in another size, are no part of a name. */
function isBeside(other: PrintLine, line: PrintLine): boolean {
  const down = Math.abs(other.middle - line.middle) / Math.min(other.height, line.height);
  const gap = Math.max(other.left - line.right, line.left - other.right) / line.height;
  const isNear = other !== line && other.side === line.side && down < 0.5 && gap < reach.beside;
  return isNear && isOfSameSize(other, line) && !/\d/.test(other.text);
}

const isOfSameSize = (p: PrintLine, q: PrintLine): boolean =>
  Math.max(p.height / q.height, q.height / p.height) < next.taller;

function nearestLabel({ line }: Read, labels: readonly Read[]): Read | undefined {
  const [nearest] = labels
    .map((label) => ({ label, distance: distanceOf(line, label.line) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance < Number.POSITIVE_INFINITY ? nearest.label : undefined;
}

const byReading = (p: PrintLine, q: PrintLine): number => {
  const down = p.middle - q.middle;
  return Math.abs(down) < Math.min(p.height, q.height) / 2 ? p.left - q.left : down;
};

/** How near the next line of the same text is, and how far it begins beside, in heights; and how much its height differs. */
const next = { down: 1.9, beside: 1.5, taller: 1.4 } as const;

/** The lines that go on with the text of a line. A name takes three at most. */
function linesBelow(line: PrintLine, loose: readonly PrintLine[], more = 2): PrintLine[] {
  const found = more === 0 ? undefined : loose.find((other) => isNextLine(other, line));
  return found === undefined ? [] : [found, ...linesBelow(found, loose, more - 1)];
}

function isNextLine(other: PrintLine, line: PrintLine): boolean {
  const down = (other.middle - line.middle) / other.height;
  const beside = Math.abs(other.left - line.left) / other.height;
  const isNear = down > 0.5 && down < next.down && beside < next.beside;
  return other.side === line.side && isNear && isOfSameSize(other, line);
}

/** Under labels for names, there must be a name, and each must be the wanted one. So text elsewhere on the page confirms nothing. */
function linesOfName(name: string, isCut: boolean, groups: readonly Group[]): PrintLine[] {
  const is = (way: string) => isSpelt(way, name, isCut);
  const isRepeated = ({ values }: Group) =>
    values.length > 0 && values.every(({ text }) => is(namesIn(text)));
  const linesIn = (group: Group): readonly PrintLine[] =>
    isRepeated(group) ? group.values : (waysToRead(group).find(({ text }) => is(text))?.lines ?? []);
  const found = groups.map((group) => ({ group, lines: linesIn(group) }));
  const isOther = found.some(({ group, lines }) => lines.length === 0 && group.values.length > 0);
  return name === '' || isOther ? [] : found.flatMap(({ lines }) => lines);
}

/** The names that a group may say: its lines, with what follows the label in its own line or without, and with lines below or without. */
function waysToRead({ label, values, below }: Group): { text: string; lines: PrintLine[] }[] {
  const way = (lines: PrintLine[]) => ({ text: namesIn(lines.map(({ text }) => text).join(' ')), lines });
  return [0, 1, 2].flatMap((more) => {
    if (more > below.length) return [];
    const lines = [...values, ...below.slice(0, more).flat()];
    const ways = values.length === 0 ? [] : [way(lines)];
    return [...ways, way([label, ...lines])].filter(({ text }) => text !== '');
  });
}

/**
 * Words before the name of a husband, a wife or birth, in Dutch, German and French. Such a name stands after the surname, and the zone does
 * not have it.
 */
const otherName = /(?<=\p{L}\s+)(?:GEB\.|ÉP\.|(?:[EWG]\/V|GEBOREN|NÉE|ÉPOUSE)(?!\p{L})).*$/u;

/** The parts of a name with one space between them, without a number such as `1.`, and without a label. */
function namesIn(text: string): string {
  const words = text
    .normalize('NFC')
    .toUpperCase()
    .replace(otherName, '')
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const label = words.findLastIndex((word) => labelOf(wordsOf(word)) !== undefined);
  return words.slice(label + 1).join(' ');
}
