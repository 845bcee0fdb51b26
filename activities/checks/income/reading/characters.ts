import { paperLimits } from '#contract/income/papers.ts';
import { type Area, type Drawn, type Matrix, moved } from './drawn.ts';
import type { Fonts } from './fonts.ts';
import type { Pdfium } from './pdfium.ts';
import { TooComplex } from './too-complex.ts';

/** A character of a page. The box is in points from the top left corner of the page as it is shown. */
export type Character = {
  text: string;
  box: Area;
  /** The line on which it stands. */
  base: number;
  size: number;
  font: number;
  turned: boolean;
  /** When it was drawn, among all that the page draws. */
  at: number;
  hidden: 'covered' | 'invisible' | null;
  /** When the thing was drawn that covers it. Zero if nothing does. */
  coveredAt: number;
};

/** Modes of drawing text: filled, and without ink. */
const filling = 0;
const inklessModes = [3, 7];
/** A character is covered if this share of its box is. */
const coveredMin = 0.6;
const turnedMin = 0.05;

/** The characters of a page, as PDFium finds them. `toShown` leads from the coordinates of the page to those of its picture. */
export function charactersOf(
  pdfium: Pdfium,
  text: number,
  { drawn, fonts, toShown }: { drawn: Drawn; fonts: Fonts; toShown: Matrix },
): Character[] {
  const count = pdfium.call('FPDFText_CountChars', text);
  if (count > paperLimits.pageCharactersMax) throw new TooComplex();
  const sets = new Map<number, TypeSet>();
  const coverOf = coversOf(drawn);
  const found: Character[] = [];
  for (let index = 0; index < count; index++) {
    const code = pdfium.call('FPDFText_GetUnicode', text, index);
    if (code <= space || code === hardSpace || pdfium.call('FPDFText_IsGenerated', text, index) === 1)
      continue;
    const object = pdfium.call('FPDFText_GetTextObject', text, index);
    const set = sets.get(object) ?? setOf(pdfium, object, { drawn, fonts });
    sets.set(object, set);
    const [x0 = 0, y1 = 0, x1 = 0, y0 = 0] = pdfium.filled('FPDFText_GetLooseCharBox', 4, text, index) ?? [];
    const area: Area = [x0, y0, x1, y1];
    const [x = x0, y = y0] = pdfium.doubles('FPDFText_GetCharOrigin', 2, text, index);
    const coveredAt = coverOf(area, set.at);
    found.push({
      text: String.fromCodePoint(Math.min(code, lastCodePoint)),
      box: moved(area, toShown),
      base: moved([x, y, x, y], toShown)[1],
      size: sizeOf(pdfium, text, index),
      ...{ font: set.font, at: set.at, coveredAt },
      turned: isTurned(pdfium, text, index, toShown),
      hidden: set.inkless ? 'invisible' : coveredAt > 0 ? 'covered' : null,
    });
  }
  return found;
}

const space = 32;
const hardSpace = 160;
const lastCodePoint = 0x10ffff;

/** What the characters of one text object share. */
type TypeSet = { font: number; inkless: boolean; at: number };

function setOf(pdfium: Pdfium, object: number, { drawn, fonts }: { drawn: Drawn; fonts: Fonts }): TypeSet {
  if (object === 0) return { font: fonts.placeOf(0), inkless: false, at: Number.MAX_SAFE_INTEGER };
  const mode = pdfium.call('FPDFTextObj_GetTextRenderMode', object);
  const [, , , alpha] = pdfium.integers('FPDFPageObj_GetFillColor', 4, object);
  return {
    font: fonts.placeOf(pdfium.call('FPDFTextObj_GetFont', object)),
    inkless: inklessModes.includes(mode) || (mode === filling && alpha === 0),
    // Text that the walk over the page did not meet counts as drawn last, since nothing is known to cover it.
    at: drawn.order.get(object) ?? Number.MAX_SAFE_INTEGER,
  };
}

function sizeOf(pdfium: Pdfium, text: number, index: number): number {
  const size = pdfium.call('FPDFText_GetFontSize', text, index);
  const [, , c = 0, d = 1] = pdfium.filled('FPDFText_GetMatrix', 6, text, index) ?? [];
  return size * Math.hypot(c, d);
}

/** A character stands upright if the line of its foot is level on the page as it is shown. */
function isTurned(pdfium: Pdfium, text: number, index: number, [a, b]: Matrix): boolean {
  const [p = 1, q = 0] = pdfium.filled('FPDFText_GetMatrix', 6, text, index) ?? [];
  const page = Math.atan2(b, a);
  const own = Math.atan2(q, p);
  return Math.abs(Math.sin(page - own)) > turnedMin || Math.cos(page - own) < 0;
}

/** The height of the strips into which the covers of a page are sorted. */
const stripPoints = 24;

/** Says when the thing was drawn that hides a place of a text. Zero if nothing does. */
function coversOf({ covers }: Drawn): (area: Area, at: number) => number {
  const strips = new Map<number, Drawn['covers']>();
  const stripsOf = ([, bottom, , top]: Area): number[] => {
    const first = Math.max(Math.floor(bottom / stripPoints), -stripsMax);
    const last = Math.min(Math.floor(top / stripPoints), stripsMax);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  };
  for (const cover of covers)
    for (const strip of stripsOf(cover.area)) strips.set(strip, [...(strips.get(strip) ?? []), cover]);
  return (area, at) => {
    for (const strip of stripsOf(area))
      for (const cover of strips.get(strip) ?? [])
        if (cover.at > at && shareCovered(area, cover.area) >= coveredMin && cover.hides()) return cover.at;
    return 0;
  };
}

const stripsMax = 200;

function shareCovered([left, bottom, right, top]: Area, [l, b, r, t]: Area): number {
  const wide = Math.min(right, r) - Math.max(left, l);
  const high = Math.min(top, t) - Math.max(bottom, b);
  if (wide <= 0 || high <= 0) return 0;
  return (wide * high) / Math.max((right - left) * (top - bottom), 1e-6);
}
