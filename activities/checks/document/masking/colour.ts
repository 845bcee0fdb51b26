import sharp, { type Sharp } from 'sharp';
import { opened } from '../../opened.ts';
import type { Grey } from '../reading/grey.ts';
import type { Point, Shape } from '../reading/shapes.ts';

/** A picture in colour, row by row, with three bytes for each pixel. */
export type Colour = { pixels: Buffer; width: number; height: number };
const jpegQuality = 88;

/** Returns undefined if the bytes are not a picture, or one of more pixels. */
export async function decodedColour(
  jpeg: Uint8Array,
  most: { pixelsMax?: number } = {},
): Promise<Colour | undefined> {
  try {
    return await coloursOf(opened(jpeg, most));
  } catch {
    return undefined;
  }
}

/** Decodes a picture that was opened. Throws if it is none. Returns undefined if it has no three colours. */
export async function coloursOf(picture: Sharp): Promise<Colour | undefined> {
  const { data, info } = await picture.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return info.channels === 3 ? { pixels: data, width: info.width, height: info.height } : undefined;
}

export const jpegOf = ({ pixels, width, height }: Colour): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: jpegQuality })
    .toBuffer();

export function greyOf({ pixels, width, height }: Colour): Grey {
  const grey = new Uint8Array(width * height);
  for (let i = 0; i < grey.length; i++) {
    const [red = 0, green = 0, blue = 0] = [pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]];
    grey[i] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { pixels: grey, width, height };
}

/** The dark grey of a cover. */
const cover = 24;

/** Covers the shapes. Nothing of the pixels below remains. */
export function covered(picture: Colour, shapes: readonly Shape[]): Colour {
  const pixels = Buffer.from(picture.pixels);
  for (const shape of shapes)
    for (const [from, to] of spansOf(shape, picture)) pixels.fill(cover, 3 * from, 3 * to);
  return { ...picture, pixels };
}

/** Puts the pixels of an earlier state back into the shapes. */
export function restored(picture: Colour, earlier: Colour, shapes: readonly Shape[]): Colour {
  const pixels = Buffer.from(picture.pixels);
  for (const shape of shapes)
    for (const [from, to] of spansOf(shape, picture)) earlier.pixels.copy(pixels, 3 * from, 3 * from, 3 * to);
  return { ...picture, pixels };
}

/** Covers everything but the shapes. */
export function coveredBut(picture: Colour, shapes: readonly Shape[]): Colour {
  const pixels = Buffer.alloc(picture.pixels.length, cover);
  for (const shape of shapes)
    for (const [from, to] of spansOf(shape, picture)) picture.pixels.copy(pixels, 3 * from, 3 * from, 3 * to);
  return { ...picture, pixels };
}

/** The runs of pixels that a convex shape touches. A run starts at an index and ends before another. */
export function spansOf(
  shape: Shape,
  { width, height }: { width: number; height: number },
): [from: number, to: number][] {
  const spans: [number, number][] = [];
  const levels = shape.map(([, y]) => y);
  const first = Math.max(Math.floor(Math.min(...levels)), 0);
  const last = Math.min(Math.ceil(Math.max(...levels)), height) - 1;
  for (let row = first; row <= last; row++) {
    const places = crossings(shape, row, row + 1);
    const from = Math.max(Math.floor(Math.min(...places)), 0);
    const to = Math.min(Math.ceil(Math.max(...places)), width);
    if (from < to) spans.push([row * width + from, row * width + to]);
  }
  return spans;
}

/** The places where the edges of a shape are between two levels, corners included. */
function crossings(shape: Shape, top: number, bottom: number): number[] {
  return shape.flatMap(([x, y], index) => {
    const [nextX, nextY] = shape[(index + 1) % shape.length] as Point;
    const [lower, upper] = [Math.min(y, nextY), Math.max(y, nextY)];
    if (upper < top || lower > bottom) return [];
    const at = (level: number) =>
      upper === lower ? x : x + ((Math.min(Math.max(level, lower), upper) - y) * (nextX - x)) / (nextY - y);
    return upper === lower ? [x, nextX] : [at(top), at(bottom)];
  });
}
