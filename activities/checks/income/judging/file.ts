import type { Annotation, Box, Page, ReadablePaper, Word } from '#contract/income/papers.ts';
import type { UnreadableReason } from '#contract/income/signs.ts';
import { doubt, type Finding, failed, passed, sign, together } from './finding.ts';
import { amountOf } from './values/amounts.ts';
import { citizenNumbersIn } from './values/numbers.ts';
import { plain } from './values/sheet.ts';

/** A file that is no PDF is no paper. Any other one that cannot be read may be harmless, and a person has to look. */
export const unreadable = (reason: UnreadableReason): Finding =>
  reason === 'not_a_pdf' ? failed(sign(reason)) : doubt(sign(reason));

/** Whether the file is what it seems to be: nothing active, nothing hidden, nothing laid over. */
export function fileIntegrity(paper: ReadablePaper, isForm: boolean): Finding {
  const pages = paper.pages.flatMap((page, index) => [
    ...hiddenOn(page, index),
    ...fontsOn(paper, page, index),
    ...stylesOn(paper, page, index),
    ...printOverPrint(page, index),
    ...page.annotations.flatMap((each) => laidOver(each, page, index, isForm)),
    ...scanOn(page, index),
  ]);
  return together([passed, ...activeIn(paper), ...madeBy(paper), ...pages]);
}

function activeIn({ active }: ReadablePaper): Finding[] {
  return [
    ...(active.javascript ? [failed(sign('javascript'))] : []),
    ...(active.launch ? [failed(sign('launch'))] : []),
    ...(active.embeddedFiles ? [failed(sign('embedded_file'))] : []),
    ...(active.remote ? [doubt(sign('remote'))] : []),
  ];
}

/** Programs that change a finished page or paint one. Those that payrolls and offices write with are not among them. */
const editors =
  /ilovepdf|sejda|smallpdf|pdfescape|pdf-?xchange|foxit.*(?:editor|phantom)|phantompdf|nitro|pdffiller|dochub|pdf24|pdfelement|pdf expert|pdftk|itext-paulo|photoshop|illustrator|gimp|inkscape|canva|coreldraw|affinity|infix|soda ?pdf|able2extract|pdf candy|pdfill|master pdf|qoppa|preview|xodo|lumin|^draw$/i;

function madeBy({ made }: ReadablePaper): Finding[] {
  const names = [made.producer, made.creator, made.xmpProducer ?? ''];
  const editor = names.find((name) => editors.test(name));
  return editor === undefined ? [] : [doubt(sign('editor', { found: editor }))];
}

const isAmount = (text: string) => /[.,]\d/.test(text) && amountOf(text) !== undefined;
const place = (page: number, box: Box) => ({ page, box });

/** A person may cover the citizen service number. Covered amounts, and print in place of covered print, are another thing. */
function hiddenOn({ words }: Page, page: number): Finding[] {
  return words.flatMap((word, index): Finding[] => {
    if (word.hidden === null) return [];
    const over = words.find((each) => each.over === index);
    if (over !== undefined && over.text !== word.text && /\d/.test(word.text + over.text))
      return [failed(sign('replaced', { ...place(page, over.box), found: over.text, expected: word.text }))];
    if (over !== undefined || mayBeCovered(word, words)) return [];
    if (word.hidden === 'covered' && isAmount(word.text))
      return [failed(sign('covered', { ...place(page, word.box), expected: word.text }))];
    return /\d/.test(word.text)
      ? [doubt(sign(word.hidden, { ...place(page, word.box), expected: word.text }))]
      : [];
  });
}

/** Words that share this part of the smaller one lie on each other. */
const crossedMin = 0.5;

/** An amount and other figures in one place, both to be seen. One was printed on the other. */
function printOverPrint({ words }: Page, page: number): Finding[] {
  const figures = words.filter(({ hidden, turned, text }) => hidden === null && !turned && /\d/.test(text));
  return figures.flatMap((amount): Finding[] => {
    const other = isAmount(amount.text)
      ? figures.find((each) => each !== amount && sharedBy(each.box, amount.box) >= crossedMin)
      : undefined;
    return other === undefined
      ? []
      : [
          doubt(
            sign('print_over_print', {
              ...place(page, amount.box),
              found: amount.text,
              expected: other.text,
            }),
          ),
        ];
  });
}

const areaOf = ([left, top, right, bottom]: Box) => (right - left) * (bottom - top);

/** The area that two boxes share. Zero if they only touch. */
function shared(one: Box, other: Box): number {
  const wide = Math.min(one[2], other[2]) - Math.max(one[0], other[0]);
  const high = Math.min(one[3], other[3]) - Math.max(one[1], other[1]);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** The part of the smaller box that the larger one covers. */
const sharedBy = (one: Box, other: Box): number =>
  shared(one, other) / Math.max(Math.min(areaOf(one), areaOf(other)), 1e-6);

const numberLabel = /\b(?:bsn|burgerservicenummer|sofinummer|citizen service number)\b/;

/** Part of a citizen service number, or something on its line. */
function mayBeCovered(word: Word, words: readonly Word[]): boolean {
  if (citizenNumbersIn(word.text).length > 0) return true;
  const middle = (word.box[1] + word.box[3]) / 2;
  const line = words.filter(({ box }) => box[1] <= middle && middle <= box[3]);
  return !isAmount(word.text) && numberLabel.test(plain(line.map(({ text }) => text).join(' ')));
}

/** An image that fills this share of a page is a scan, or the background of one. */
const scanShare = 0.6;

/** Print that was put on a scan: the text of the scan itself is drawn without ink. */
function scanOn({ imageShare, words }: Page, page: number): Finding[] {
  const hasScanText = words.some(({ hidden }) => hidden === 'invisible');
  const added = words.find(({ hidden, text }) => hidden === null && isAmount(text));
  return imageShare >= scanShare && hasScanText && added !== undefined
    ? [doubt(sign('print_on_scan', { ...place(page, added.box), found: added.text }))]
    : [];
}

const familyOf = (name: string) =>
  name
    .replace(/^[A-Z]{6}\+/, '')
    .replace(
      /[-,\s]?(?:bold|italic|oblique|regular|medium|semibold|demi|light|roman|black|condensed|narrow|book|mt|ps|std|pro)+/gi,
      '',
    )
    .split(/[-,\s]/)
    .filter(Boolean)
    .join(' ')
    .toLowerCase();

/** The most words that a font of an editor sets, and the fewest other amounts with which they can be compared. */
const strangersMax = 4;
const othersMin = 4;

/** Digits of one amount in two fonts, and amounts in a font that nothing else on the paper has. */
function fontsOn({ fonts, pages }: ReadablePaper, { words }: Page, page: number): Finding[] {
  const keys = fonts.map(({ name, embedded }) => `${familyOf(name)} ${embedded}`);
  const keyOf = (font: number) => keys[font] ?? '';
  const seen = pages.flatMap((each) => each.words.filter(({ hidden }) => hidden === null));
  const amounts = seen.filter(({ text }) => isAmount(text));
  return words.flatMap((word): Finding[] => {
    if (word.hidden !== null || !isAmount(word.text)) return [];
    const where = { ...place(page, word.box), found: word.text };
    if (new Set(word.digitFonts.map(keyOf)).size > 1) return [failed(sign('fonts_in_amount', where))];
    if (word.uneven) return [doubt(sign('uneven_amount', where))];
    const key = keyOf(word.font);
    const alike = seen.filter(({ font }) => keyOf(font) === key);
    const isStranger =
      alike.length <= strangersMax &&
      alike.every(({ text }) => isAmount(text) || /^[€\d.,+()-]+$/.test(text));
    return isStranger && amounts.length - alike.length >= othersMin
      ? [doubt(sign('font_of_amount', where))]
      : [];
  });
}

/** Labels of sums, whose amounts are bold or large in many layouts. */
const sums =
  /\b(?:netto\w*|bruto\w*|sub-?tota\w*|tota\w*|saldo|uit\w*|betal\w*|betaald|loon|lonen|cumulatief|net|gross|pay|payable|paid|wages?|sum|balance)\b/i;
/** The fewest amounts of a column, and the most of another look among them. */
const columnMin = 5;
const oddMax = 1;
/** Amounts of a column end at the same place, in points. Sizes within this share of each other are alike. */
const edgeMax = 2;
const sizeShare = 0.05;

/**
 * One amount of a column that is bold, or larger or smaller, while its label looks like those of the other lines. The amount of a sum may
 * look so by design, and nothing can be said of it.
 */
function stylesOn({ fonts }: ReadablePaper, { words }: Page, page: number): Finding[] {
  const lookOf = ({ font, size }: Word) => ({ name: fonts[font]?.name.replace(/^[A-Z]{6}\+/, ''), size });
  const isAlike = (one: Word, other: Word) =>
    lookOf(one).name === lookOf(other).name && Math.abs(one.size - other.size) <= sizeShare * other.size;
  const seen = words.filter(({ hidden, turned }) => hidden === null && !turned);
  const lines = seen.flatMap((amount) => {
    const label = isAmount(amount.text) ? labelOf(amount, seen) : undefined;
    return label === undefined ? [] : [{ amount, label }];
  });
  return lines.flatMap(({ amount, label }): Finding[] => {
    const column = lines.filter((each) => Math.abs(each.amount.box[2] - amount.box[2]) <= edgeMax);
    const peers = column.filter((each) => isAlike(each.label.first, label.first));
    const alike = peers.filter((each) => isAlike(each.amount, amount));
    const [usual, ...others] = peers.filter((each) => !isAlike(each.amount, amount));
    const isOdd =
      alike.length <= oddMax &&
      usual !== undefined &&
      others.length + 1 >= columnMin - 1 &&
      others.every((each) => isAlike(each.amount, usual.amount));
    return isOdd && !sums.test(label.text)
      ? [doubt(sign('style_of_amount', { ...place(page, amount.box), found: amount.text }))]
      : [];
  });
}

/** The words to the left of an amount, on its line, as far as they have letters. */
function labelOf(amount: Word, words: readonly Word[]): { first: Word; text: string } | undefined {
  const middle = (amount.box[1] + amount.box[3]) / 2;
  const label = words.filter(
    ({ box, text }) =>
      box[1] <= middle && middle <= box[3] && box[2] <= amount.box[0] && /\p{L}{2}/u.test(text),
  );
  const [first] = label;
  return first === undefined ? undefined : { first, text: label.map(({ text }) => text).join(' ') };
}

function laidOver(
  { kind, box, text, opaque }: Annotation,
  { words }: Page,
  page: number,
  isForm: boolean,
): Finding[] {
  const under = words.filter(({ box: other, hidden }) => hidden === null && overlap(box, other));
  const where = {
    ...place(page, box),
    found: text === '' ? null : text,
    expected: under.map((word) => word.text).join(' ') || null,
  };
  if (kind === 'attachment') return [failed(sign('embedded_file', where))];
  const hidesAmount = under.some((word) => isAmount(word.text));
  if (kind === 'field' && isForm) return [];
  // An annotation of another kind may be a note whose sign lies over an amount by chance.
  const isReplacing = ['field', 'free_text'].includes(kind) ? /\d/.test(text) : opaque && kind !== 'other';
  if (hidesAmount && isReplacing) return [failed(sign('laid_over', where))];
  if (kind === 'field') return [doubt(sign('filled_field', where))];
  return (opaque && under.some((word) => /\d/.test(word.text))) || (kind === 'free_text' && /\d/.test(text))
    ? [doubt(sign('laid_over', where))]
    : [];
}

/** True if an annotation lies on three tenths of a word at least. */
const overlap = (annotation: Box, word: Box): boolean => {
  const area = shared(annotation, word);
  return area > 0 && area >= 0.3 * areaOf(word);
};
