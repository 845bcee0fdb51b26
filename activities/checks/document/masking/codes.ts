import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { parsedOf } from '../judging/parsed.ts';
import type { Grey } from '../reading/grey.ts';
import { redrawn } from '../reading/grey.ts';
import { grown, type Point, type Shape } from '../reading/shapes.ts';
import { spansOf } from './colour.ts';

/** A barcode in a picture. `text` is empty if the code was found but could not be decoded. */
export type Code = { shape: Shape; text: string };

/** Loads the decoder. Its WASM comes from the package, since it would otherwise come from the network. */
export async function loadCodeReader(): Promise<void> {
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  const wasmBinary = new Uint8Array(file).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

/** How much larger a cover is than the code in it. */
const margin = 1.25;
/** Pictures are also searched in these sizes. A blurred code is often found in a smaller picture only. */
const reductions = [1, 2] as const;

/** Finds barcodes of all kinds, in all directions. */
export async function findCodes(picture: Grey): Promise<Code[]> {
  const codes: Code[] = [];
  for (const reduction of reductions) {
    const size = {
      width: Math.round(picture.width / reduction),
      height: Math.round(picture.height / reduction),
    };
    const smaller =
      reduction === 1 ? picture : redrawn(picture, size, (x, y) => [x * reduction, y * reduction]);
    for (const { position, text, isValid, format } of await readBarcodes(imageOf(smaller), {
      ...{ tryHarder: true, tryRotate: true, tryInvert: true, tryDownscale: true },
      ...{ returnErrors: true, maxNumberOfSymbols: 40 },
    })) {
      const { topLeft, topRight, bottomRight, bottomLeft } = position;
      const corners = [topLeft, topRight, bottomRight, bottomLeft];
      const shape = corners.map(({ x, y }): Point => [x * reduction, y * reduction]);
      if (isValid || (withSureFinders.includes(format) && mayBeCode(shape, picture)))
        codes.push({ shape: grown(thick(shape), margin), text: isValid ? text : '' });
    }
  }
  return codes;
}

/**
 * The numbers of Dutch driving licences in QR codes: the code on the back has the same line as the front. The text of any other code is dropped
 * here, since it can be a citizen service number. To look for these codes alone takes a seventh of the time.
 */
export async function licenceNumbersIn(picture: Grey): Promise<string[]> {
  const codes = await readBarcodes(imageOf(picture), { tryHarder: true, formats: ['QRCode'] });
  return codes.flatMap(({ text }) => {
    const parsed = parsedOf([Array.from(text.trim())]);
    return parsed?.kind === 'driving licence' ? (parsed.documentNumber ?? []) : [];
  });
}

/**
 * The kinds of codes whose marks hardly occur in other print. A find of another kind counts only if it can be decoded, since most others are
 * no code.
 */
const withSureFinders: readonly string[] = [
  'QRCode',
  'QRCodeModel1',
  'QRCodeModel2',
  'Aztec',
  'AztecCode',
  'PDF417',
];
/** The largest area of a code that cannot be decoded, as a share of the picture. */
const undecodedAreaMax = 0.2;

/**
 * The least share of busy tiles in a code that could not be decoded. Noise has marks of codes too, but is not black and white: 0 of it was busy,
 * and at least half of codes that were out of focus by six pixels.
 */
const busyShareMin = 0.2;

function mayBeCode(shape: Shape, picture: Grey): boolean {
  if (areaOf(shape) >= undecodedAreaMax * picture.pixels.length) return false;
  const { scale, columns, busy } = tilesOf(picture);
  const [xs, ys] = ([0, 1] as const).map((axis) => shape.map((point) => point[axis] / (tile * scale)));
  const isIn = (place: number, sides: readonly number[] = []) =>
    place >= Math.floor(Math.min(...sides)) && place <= Math.max(...sides);
  const within = busy.filter((_, at) => isIn(at % columns, xs) && isIn(Math.floor(at / columns), ys));
  return within.filter(Boolean).length >= busyShareMin * within.length;
}

const areaOf = (shape: Shape): number =>
  Math.abs(
    shape.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = shape[(index + 1) % shape.length] as Point;
      return sum + (x * nextY - nextX * y) / 2;
    }, 0),
  );

/** The decoder's data type. Only its pixels and sides are used. */
function imageOf({ pixels, width, height }: Grey): ImageData {
  const data = new Uint8ClampedArray(4 * pixels.length);
  for (const [index, grey] of pixels.entries()) {
    data.fill(grey, 4 * index, 4 * index + 3);
    data[4 * index + 3] = 255;
  }
  return { data, width, height, colorSpace: 'srgb' } as ImageData;
}

/** The least height of a code as a share of its width. The decoder reports only one scan line of a code of bars. */
const heightMin = 0.5;

/** Makes a flat shape higher to both sides. */
function thick(shape: Shape): Shape {
  const [a, b, c, d] = shape as readonly [Point, Point, Point, Point];
  const [right, down] = [
    [b[0] - a[0], b[1] - a[1]],
    [d[0] - a[0], d[1] - a[1]],
  ] as const;
  const [wide, high] = [Math.hypot(...right), Math.hypot(...down)];
  const lacking = (heightMin * wide - high) / 2;
  if (lacking <= 0 || wide === 0) return shape;
  const [x, y] = [(-right[1] / wide) * lacking, (right[0] / wide) * lacking];
  return [
    [a[0] - x, a[1] - y],
    [b[0] - x, b[1] - y],
    [c[0] + x, c[1] + y],
    [d[0] + x, d[1] + y],
  ];
}

/** The longest side of the picture in which busy areas are searched, and the sides of a tile and of a block of four tiles. */
const busySide = 960;
const tile = 6;
/** A tile is busy if the difference between its darkest and its brightest pixel is at least this share of that of the picture. */
const contrastMin = 0.3;
/** The least sides of a busy area, in tiles. */
const tilesMin = 8;

type Tiles = { scale: number; columns: number; small: Grey; busy: boolean[] };

/** Which tiles of a picture are black and white. `scale` is how much larger the picture is than `small`, whose tiles they are. */
function tilesOf(picture: Grey): Tiles {
  const scale = Math.max(Math.max(picture.width, picture.height) / busySide, 1);
  const size = { width: Math.floor(picture.width / scale), height: Math.floor(picture.height / scale) };
  const small = redrawn(picture, size, (x, y) => [x * scale, y * scale]);
  const [columns, rows] = [Math.floor(size.width / tile), Math.floor(size.height / tile)];
  const sorted = small.pixels.toSorted();
  const range =
    (sorted[Math.floor(sorted.length * 0.99)] ?? 0) - (sorted[Math.floor(sorted.length * 0.01)] ?? 0);
  const busy = Array.from(
    { length: rows * columns },
    (_, index) => rangeOfTile(small, index % columns, Math.floor(index / columns)) >= contrastMin * range,
  );
  return { scale, columns, small, busy };
}

/**
 * Finds areas that are black and white everywhere, such as codes that are too blurred for the decoder. Lines of text that were read
 * are left out.
 */
export function findBusyAreas(picture: Grey, lines: readonly Shape[]): Shape[] {
  const { scale, columns, small, busy: all } = tilesOf(picture);
  const isLine = new Uint8Array(small.pixels.length);
  for (const line of lines) {
    const reduced = line.map(([x, y]): Point => [x / scale, y / scale]);
    for (const [from, to] of spansOf(reduced, small)) isLine.fill(1, from, to);
  }
  const busy = all.map((isBusy, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)];
    return isBusy && isLine[(row * tile + tile / 2) * small.width + column * tile + tile / 2] === 0;
  });
  return areasOf(busy, columns)
    .filter(({ left, top, right, bottom, count }) => {
      const [wide, high] = [right - left + 1, bottom - top + 1];
      return Math.min(wide, high) >= tilesMin && count >= 0.5 * wide * high;
    })
    .map(({ left, top, right, bottom }) => {
      const [x0, y0] = [(left - 1) * tile * scale, (top - 1) * tile * scale];
      const [x1, y1] = [(right + 2) * tile * scale, (bottom + 2) * tile * scale];
      return [
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
      ];
    });
}

function rangeOfTile({ pixels, width }: Grey, column: number, row: number): number {
  let [least, most] = [255, 0];
  for (let y = row * tile; y < (row + 1) * tile; y++)
    for (let x = column * tile; x < (column + 1) * tile; x++) {
      const value = pixels[y * width + x] ?? 0;
      least = Math.min(least, value);
      most = Math.max(most, value);
    }
  return most - least;
}

type Area = { left: number; top: number; right: number; bottom: number; count: number };

function areasOf(marked: boolean[], columns: number): Area[] {
  const open = [...marked];
  return marked.flatMap((_, start) => (open[start] ? [areaFrom(start, open, columns)] : []));
}

/** The connected tiles around one. They are taken out of `open`. */
function areaFrom(start: number, open: boolean[], columns: number): Area {
  open[start] = false;
  const members = [start];
  for (const index of members) {
    const column = index % columns;
    const left = column > 0 ? index - 1 : -1;
    const right = column < columns - 1 ? index + 1 : -1;
    for (const next of [left, right, index - columns, index + columns]) {
      if (!open[next]) continue;
      open[next] = false;
      members.push(next);
    }
  }
  const places = members.map((index) => index % columns);
  const levels = members.map((index) => Math.floor(index / columns));
  const [left, top] = [Math.min(...places), Math.min(...levels)];
  return { left, top, right: Math.max(...places), bottom: Math.max(...levels), count: members.length };
}
