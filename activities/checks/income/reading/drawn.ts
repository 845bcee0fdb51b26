import { paperLimits } from '#contract/income/papers.ts';
import type { Pdfium } from './pdfium.ts';
import { TooComplex } from './too-complex.ts';

/** Left, bottom, right and top in the coordinates of the page. */
export type Area = readonly [number, number, number, number];

/** What a page draws, in its order. */
export type Drawn = {
  /** The place of each text object in the order of drawing. */
  order: Map<number, number>;
  /** What may hide text that was drawn before. */
  covers: { at: number; area: Area; hides(): boolean }[];
  /** The areas of images. */
  images: Area[];
  /** Everything but text, as far as an edit would change it. */
  outline: string[];
};

const kinds = { text: 1, path: 2, image: 3, form: 5 } as const;
export type Matrix = readonly [number, number, number, number, number, number];
const upright: Matrix = [1, 0, 0, 1, 0, 0];

/** PDFium itself stops at forms that contain themselves. */
const depthMax = 12;

export function drawnOn(pdfium: Pdfium, page: number): Drawn {
  const drawn: Drawn = { order: new Map(), covers: [], images: [], outline: [] };
  let at = 0;
  const visit = (object: number, matrix: Matrix, depth: number): void => {
    at += 1;
    if (at > paperLimits.pageObjectsMax) throw new TooComplex();
    const kind = pdfium.call('FPDFPageObj_GetType', object);
    if (kind === kinds.text) drawn.order.set(object, at);
    else if (kind === kinds.form) {
      if (depth === depthMax) return;
      const inner = within(matrixOf(pdfium, object), matrix);
      const count = pdfium.call('FPDFFormObj_CountObjects', object);
      for (let index = 0; index < count; index++)
        visit(pdfium.call('FPDFFormObj_GetObject', object, index), inner, depth + 1);
    } else note(pdfium, object, kind, matrix, at, drawn);
  };
  const count = pdfium.call('FPDFPage_CountObjects', page);
  for (let index = 0; index < count; index++)
    visit(pdfium.call('FPDFPage_GetObject', page, index), upright, 0);
  return drawn;
}

function note(pdfium: Pdfium, object: number, kind: number, matrix: Matrix, at: number, drawn: Drawn): void {
  const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.floats('FPDFPageObj_GetBounds', 4, object);
  const area = moved([left, bottom, right, top], matrix);
  drawn.outline.push(`${kind} ${area.map((side) => side.toFixed(1)).join(' ')}`);
  if (kind === kinds.image) {
    const [wide = 0, high = 0] = pdfium.integers('FPDFImageObj_GetImagePixelSize', 2, object);
    if ((wide >>> 0) * (high >>> 0) > paperLimits.imagePointsMax) throw new TooComplex();
    drawn.images.push(area);
    drawn.covers.push({ at, area, hides: once(() => isOpaqueImage(pdfium, object)) });
  } else if (kind === kinds.path && isFilledBox(pdfium, object))
    drawn.covers.push({ at, area, hides: () => true });
}

/** A box has at most this number of segments. The bounds of other shapes say little about what they hide. */
const boxSegmentsMax = 6;
const opaque = 255;

function isFilledBox(pdfium: Pdfium, object: number): boolean {
  const [fill = 0] = pdfium.integers('FPDFPath_GetDrawMode', 2, object);
  if (fill === 0 || pdfium.call('FPDFPath_CountSegments', object) > boxSegmentsMax) return false;
  const [, , , alpha] = pdfium.integers('FPDFPageObj_GetFillColor', 4, object);
  return alpha === opaque && pdfium.call('FPDFPageObj_HasTransparency', object) === 0;
}

/** PDFium's number for pixels with a share of transparency. */
const withAlpha = 4;
/** Pixels of an image that are looked at. */
const samples = 64;

/** An image with holes may be a watermark. */
function isOpaqueImage(pdfium: Pdfium, object: number): boolean {
  if (pdfium.call('FPDFPageObj_HasTransparency', object) !== 0) return false;
  const bitmap = pdfium.call('FPDFImageObj_GetBitmap', object);
  if (bitmap === 0) return false;
  const hasAlpha = pdfium.call('FPDFBitmap_GetFormat', bitmap) === withAlpha;
  const length = pdfium.call('FPDFBitmap_GetStride', bitmap) * pdfium.call('FPDFBitmap_GetHeight', bitmap);
  const pixels = hasAlpha
    ? pdfium.bytesAt(pdfium.call('FPDFBitmap_GetBuffer', bitmap), length)
    : Buffer.alloc(0);
  pdfium.call('FPDFBitmap_Destroy', bitmap);
  const step = Math.max(1, Math.floor(pixels.length / 4 / samples));
  for (let pixel = 0; pixel < pixels.length / 4; pixel += step)
    if (pixels[pixel * 4 + 3] !== opaque) return false;
  return true;
}

function once(answer: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => {
    found ??= answer();
    return found;
  };
}

function matrixOf(pdfium: Pdfium, object: number): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdfium.filled('FPDFPageObj_GetMatrix', 6, object) ?? [];
  return [a, b, c, d, e, f];
}

/** What `inner` does, and then `outer`. */
const within = ([a, b, c, d, e, f]: Matrix, [p, q, r, s, t, u]: Matrix): Matrix => [
  ...([a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s] as const),
  ...([e * p + f * r + t, e * q + f * s + u] as const),
];

export function moved([left, bottom, right, top]: Area, [a, b, c, d, e, f]: Matrix): Area {
  const xs = [a * left + c * bottom, a * left + c * top, a * right + c * bottom, a * right + c * top];
  const ys = [b * left + d * bottom, b * left + d * top, b * right + d * bottom, b * right + d * top];
  return [Math.min(...xs) + e, Math.min(...ys) + f, Math.max(...xs) + e, Math.max(...ys) + f];
}
