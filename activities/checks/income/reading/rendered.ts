import type { Pdfium } from './pdfium.ts';

/** Pixels of a page as it is shown. Each has four bytes: blue, green, red and one without meaning. */
export type Rendered = { pixels: Buffer; wide: number; high: number; perPoint: number };

const withoutAlpha = 3;
const white = 0xffffffff;
const drawAnnotations = 1;

export function rendered(
  pdfium: Pdfium,
  page: number,
  { perPoint, sideMax, annotations }: { perPoint: number; sideMax: number; annotations: boolean },
): Rendered {
  const width = pdfium.call('FPDF_GetPageWidthF', page);
  const height = pdfium.call('FPDF_GetPageHeightF', page);
  const scale = Math.min(perPoint, sideMax / Math.max(width, height, 1));
  const wide = Math.max(1, Math.round(width * scale));
  const high = Math.max(1, Math.round(height * scale));
  const bitmap = pdfium.call('FPDFBitmap_CreateEx', wide, high, withoutAlpha, 0, 0);
  pdfium.call('FPDFBitmap_FillRect', bitmap, 0, 0, wide, high, white);
  const flags = annotations ? drawAnnotations : 0;
  pdfium.call('FPDF_RenderPageBitmap', bitmap, page, 0, 0, wide, high, 0, flags);
  const pixels = pdfium.bytesAt(pdfium.call('FPDFBitmap_GetBuffer', bitmap), wide * high * 4);
  pdfium.call('FPDFBitmap_Destroy', bitmap);
  return { pixels, wide, high, perPoint: scale };
}

/** Two colours that differ by less than this in each of red, green and blue cannot be told apart. */
const visibleMin = 20;

/** True if all pixels of a box have one colour. The edge of the box is left out, where a line of a table may be. */
export function isBlank({ pixels, wide, high, perPoint }: Rendered, box: readonly number[]): boolean {
  const [left = 0, top = 0, right = 0, bottom = 0] = box.map((side) => side * perPoint);
  const inset = (bottom - top) / 8;
  const [x0, x1] = [Math.max(0, Math.ceil(left)), Math.min(wide - 1, Math.floor(right))];
  const [y0, y1] = [Math.max(0, Math.ceil(top + inset)), Math.min(high - 1, Math.floor(bottom - inset))];
  if (x1 < x0 || y1 < y0) return right < 0 || bottom < 0 || left >= wide || top >= high;
  const least = [255, 255, 255];
  const most = [0, 0, 0];
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++)
      for (let colour = 0; colour < 3; colour++) {
        const value = pixels[(y * wide + x) * 4 + colour] ?? 0;
        least[colour] = Math.min(least[colour] ?? 255, value);
        most[colour] = Math.max(most[colour] ?? 0, value);
      }
  return most.every((value, colour) => value - (least[colour] ?? 0) < visibleMin);
}
