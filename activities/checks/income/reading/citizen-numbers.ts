import type { Annotation, Box, Page } from '#contract/income/papers.ts';
import { isBsn } from '../../document/masking/bsn.ts';

/** Places on a page that are covered before anybody sees it. */
type Piece = { text: string; box: Box };

/** An image of at least this share of a page may show a paper, and with it a number that nobody has read. */
const scanShare = 0.25;

/** The boxes of all that is or could be a citizen service number, and the whole page if its text is in an image. */
export function citizenNumbersOn(page: Page): Box[] {
  if (
    page.imageShare >= scanShare &&
    !page.words.some(({ hidden, text }) => hidden === null && /\d/.test(text))
  )
    return [[0, 0, page.width, page.height]];
  const notes = page.annotations.filter(mayHoldNumber).map(({ box }) => box);
  return [...linesOf(page).flatMap(numbersIn), ...notes];
}

const mayHoldNumber = ({ text }: Annotation) => text.replaceAll(/\D/g, '').length >= digitsOfNumber - 1;
const digitsOfNumber = 9;

/** Words on one line, from left to right. Turned words stand alone. */
function linesOf({ words }: Page): Piece[][] {
  const lines: Piece[][] = [];
  for (const word of words.toSorted((one, other) => one.box[3] - other.box[3])) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line && last && !word.turned && Math.abs(last.box[3] - word.box[3]) < word.size / 3) line.push(word);
    else lines.push([word]);
  }
  return lines.map((line) => line.toSorted((one, other) => one.box[0] - other.box[0]));
}

/** Numbers of the number's length for which the test of eleven holds, in one word or in several, and any after its label. */
function numbersIn(line: readonly Piece[]): Box[] {
  const found: Box[] = [];
  for (let start = 0; start < line.length; start++) {
    const box = numberAt(line, start);
    if (box !== undefined) found.push(box);
  }
  return found;
}

const label = /\b(?:b\.?s\.?n|burgerservice\w*|sofi\w*|citizen service\w*|bsn-?nr)\b/i;
const piecesMax = 9;

function numberAt(line: readonly Piece[], start: number): Box | undefined {
  const first = line[start];
  if (first === undefined || !/\d/.test(first.text)) return undefined;
  const before = line.slice(0, start + 1).map(({ text }) => text);
  const isLabelled = label.test(before.join(' '));
  let digits = '';
  for (let end = start + 1; end <= Math.min(line.length, start + piecesMax); end++) {
    digits += digitsIn(line[end - 1]?.text ?? '', end === start + 1);
    if (!/^\d{0,9}$/.test(digits)) break;
    const isNumber =
      isBsn(digits) || isBsn(`0${digits}`) || (isLabelled && digits.length >= digitsOfNumber - 1);
    if (isNumber) return unionOf(line.slice(start, end));
  }
  return mayContain(first.text) ? first.box : undefined;
}

/** The digits of a word. In the first one, a label may stand before them. Anything else ends the number. */
function digitsIn(text: string, isFirst: boolean): string {
  const plain = text.replaceAll(/[\s.\-_/·:]/g, '').replace(/\D+$/, '');
  return isFirst ? plain.replace(/^\D+/, '') : plain;
}

/** A longer run of digits may have one in it. That of a bank account has letters before. */
const mayContain = (text: string) =>
  (text.match(/\d{9,}/g) ?? []).some((run) =>
    Array.from({ length: run.length - digitsOfNumber + 1 }, (_, at) =>
      run.slice(at, at + digitsOfNumber),
    ).some(isBsn),
  );

const unionOf = (pieces: readonly Piece[]): Box => [
  Math.min(...pieces.map(({ box }) => box[0])),
  Math.min(...pieces.map(({ box }) => box[1])),
  Math.max(...pieces.map(({ box }) => box[2])),
  Math.max(...pieces.map(({ box }) => box[3])),
];
