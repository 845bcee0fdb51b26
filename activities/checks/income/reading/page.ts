import { type Page, paperLimits } from '#contract/income/papers.ts';
import { annotationsOf } from './annotations.ts';
import { charactersOf } from './characters.ts';
import { type Area, drawnOn, type Matrix, moved } from './drawn.ts';
import type { Fonts } from './fonts.ts';
import type { Pdfium } from './pdfium.ts';
import { isBlank, rendered } from './rendered.ts';
import { TooComplex } from './too-complex.ts';
import { laidOver, type PlacedWord, wordsOf } from './words.ts';

/** A page, and an outline of all that it draws but text. Pages of two revisions with one outline differ in text alone. */
export type ReadPage = { page: Page; outline: string };

/** `look` renders the page and finds words that cannot be seen for any reason. */
export function readPage(
  pdfium: Pdfium,
  document: number,
  index: number,
  { fonts, look }: { fonts: Fonts; look: boolean },
): ReadPage {
  const page = pdfium.call('FPDF_LoadPage', document, index);
  if (page === 0)
    return { page: { width: 0, height: 0, words: [], annotations: [], imageShare: 0 }, outline: '' };
  const text = pdfium.call('FPDFText_LoadPage', page);
  const width = pdfium.call('FPDF_GetPageWidthF', page);
  const height = pdfium.call('FPDF_GetPageHeightF', page);
  if (Math.max(width, height) > sideMax) throw new TooComplex();
  const toShown = shownBy(pdfium, page, width, height);
  const drawn = drawnOn(pdfium, page);
  const words = wordsOf(charactersOf(pdfium, text, { drawn, fonts, toShown }));
  if (words.length > paperLimits.pageWordsMax) throw new TooComplex();
  const read: ReadPage = {
    page: {
      ...{ width, height },
      words: laidOver(look ? seen(pdfium, page, words) : words),
      annotations: annotationsOf(pdfium, page, toShown),
      imageShare: shareOf(
        drawn.images.map((area) => moved(area, toShown)),
        width,
        height,
      ),
    },
    outline: drawn.outline.join('\n'),
  };
  pdfium.call('FPDFText_ClosePage', text);
  pdfium.call('FPDF_ClosePage', page);
  return read;
}

/** No reader shows a larger page, in points. */
const sideMax = 14_400;
const steps = 1_000;
const scale = 100;

/** PDFium turns and cuts a page as it is shown. Three points say how. */
function shownBy(pdfium: Pdfium, page: number, width: number, height: number): Matrix {
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
  const at = (x: number, y: number) => {
    const [left = 0, top = 0] = pdfium.integers('FPDF_PageToDevice', 2, page, 0, 0, wide, high, 0, x, y);
    return [left / scale, top / scale] as const;
  };
  const [origin, right, up] = [at(0, 0), at(steps, 0), at(0, steps)];
  return [
    ...([(right[0] - origin[0]) / steps, (right[1] - origin[1]) / steps] as const),
    ...([(up[0] - origin[0]) / steps, (up[1] - origin[1]) / steps] as const),
    ...origin,
  ];
}

/** Enough to see the thinnest print. */
const lookPerPoint = 1.5;

function seen(pdfium: Pdfium, page: number, words: PlacedWord[]): PlacedWord[] {
  const picture = rendered(pdfium, page, {
    ...{ perPoint: lookPerPoint, sideMax: paperLimits.pictureSideMax, annotations: false },
  });
  return words.map((word) =>
    word.hidden === null && !word.turned && isBlank(picture, word.box) ? { ...word, hidden: 'unseen' } : word,
  );
}

/** A scan can be cut into strips, so that no single image is large. */
function shareOf(images: readonly Area[], width: number, height: number): number {
  const shares = images.map(([left, top, right, bottom]) => {
    const wide = Math.min(right, width) - Math.max(left, 0);
    const high = Math.min(bottom, height) - Math.max(top, 0);
    return wide > 0 && high > 0 ? (wide * high) / (width * height) : 0;
  });
  return Math.min(
    1,
    shares.reduce((sum, share) => sum + share, 0),
  );
}
