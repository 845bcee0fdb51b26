import { type Change, type Page, paperLimits, type Revision } from '#contract/income/papers.ts';
import { opened, type Placed } from './document.ts';
import { fontsOf } from './fonts.ts';
import { type ReadPage, readPage } from './page.ts';
import type { Pdfium } from './pdfium.ts';
import type { Structure } from './structure.ts';

/** A state of the file: all bytes up to `end`. */
type State = { end: number; pages: ReadPage[] | undefined };

/** A writer adds what it changes at the end of a file. So the file up to an earlier end is the file as it was then. */
export function revisionsOf(
  pdfium: Pdfium,
  document: number,
  { bytes, at, structure, pages }: { bytes: Buffer; at: number; structure: Structure; pages: ReadPage[] },
): Revision[] {
  const ends = endsOf(pdfium, document, structure).filter((end) => end < bytes.length);
  const isLast = (end: number) => bytes.subarray(end).toString('latin1').trim() === '';
  const earlier = spread(
    ends.filter((end) => !isLast(end)),
    paperLimits.revisionsMax,
  );
  const states: State[] = earlier.map((end) => ({ end, pages: pagesAt(pdfium, { at, length: end }) }));
  return states.map((state, index) => {
    const next = states.slice(index + 1).find((each) => each.pages !== undefined)?.pages ?? pages;
    return revisionOf(state, next);
  });
}

/** As many as are wanted, with the first and the last. A change between two of them shows in their difference. */
function spread(ends: readonly number[], most: number): number[] {
  if (ends.length <= most) return [...ends];
  return Array.from({ length: most }, (_, index) =>
    Number(ends[Math.round((index * (ends.length - 1)) / (most - 1))]),
  );
}

/**
 * The ends that PDFium finds, and those in the text of the file, since PDFium stops at the first thing that is out of order. The first end
 * of a file that is made to be shown while it loads is no revision.
 */
function endsOf(pdfium: Pdfium, document: number, { isLinearized, ends }: Structure): number[] {
  const count = pdfium.call('FPDF_GetTrailerEnds', document, 0, 0);
  const at = pdfium.put(Buffer.alloc(4 * Math.max(count, 1)));
  pdfium.call('FPDF_GetTrailerEnds', document, at, count);
  const found = pdfium.bytesAt(at, 4 * count);
  const all = [...Array.from({ length: count }, (_, index) => found.readUInt32LE(4 * index)), ...ends];
  const sorted = all.toSorted((one, other) => one - other);
  // Both name the same end, one with the end of its line and one without.
  const apart = sorted.filter((end, index) => end - (sorted[index - 1] ?? -lineEndMax) >= lineEndMax);
  return apart.slice(isLinearized ? 1 : 0);
}

const lineEndMax = 4;

function pagesAt(pdfium: Pdfium, placed: Placed): ReadPage[] | undefined {
  const { document, pages } = opened(pdfium, placed);
  if (document === 0 || pages > paperLimits.pagesMax) return undefined;
  const fonts = fontsOf(pdfium);
  const read = Array.from({ length: pages }, (_, index) =>
    readPage(pdfium, document, index, { fonts, look: false }),
  );
  pdfium.call('FPDF_CloseDocument', document);
  return read;
}

function revisionOf({ end, pages }: State, next: ReadPage[]): Revision {
  if (pages === undefined)
    return { end, readable: false, changes: [], redrawn: false, annotationsAdded: false };
  const count = Math.max(pages.length, next.length);
  const both = Array.from({ length: count }, (_, index) => [pages[index], next[index]] as const);
  return {
    ...{ end, readable: true },
    changes: both
      .flatMap(([before, after], index) => changesOf(index, before?.page, after?.page))
      .toSorted((one, other) => Number(hasFigures(other)) - Number(hasFigures(one)))
      .slice(0, changesMax),
    redrawn: both.some(([before, after]) => before?.outline !== after?.outline),
    annotationsAdded: both.some(([before, after]) => notesOn(before?.page) !== notesOn(after?.page)),
  };
}

/** Figures come first, so that other words cannot crowd them out. */
const changesMax = 200;
const textMax = 500;
const hasFigures = ({ before, after }: Change) => /\d/.test(before + after);

const notesOn = (page: Page | undefined) =>
  JSON.stringify(
    page?.annotations
      .filter(({ kind }) => kind !== 'signature')
      .map(({ kind, text, box }) => [kind, text, box.map(Math.round)]) ?? [],
  );

const keyOf = ({ text, box }: Page['words'][number]) =>
  `${text} ${box.map((side) => Math.round(side * 2)).join(' ')}`;

/** Words of one state that the other one does not have at their place, with what stood or stands there. */
function changesOf(page: number, before: Page | undefined, after: Page | undefined): Change[] {
  const [old, recent] = [before?.words ?? [], after?.words ?? []];
  const [oldKeys, recentKeys] = [new Set(old.map(keyOf)), new Set(recent.map(keyOf))];
  const gone = old.filter((word) => !recentKeys.has(keyOf(word)));
  const come = recent.filter((word) => !oldKeys.has(keyOf(word)));
  const replaced = new Set<Page['words'][number]>();
  const changes = come.map((word): Change => {
    const was = gone.find((each) => touches(each, word));
    if (was !== undefined) replaced.add(was);
    return {
      page,
      box: word.box,
      before: was?.text.slice(0, textMax) ?? '',
      after: word.text.slice(0, textMax),
    };
  });
  const removed = gone
    .filter((word) => !replaced.has(word))
    .map((word): Change => ({ page, box: word.box, before: word.text.slice(0, textMax), after: '' }));
  return [...changes, ...removed].filter((change) => change.before !== change.after);
}

const touches = ({ box: one }: Page['words'][number], { box: other }: Page['words'][number]) =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
