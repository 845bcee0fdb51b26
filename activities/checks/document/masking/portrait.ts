import sharp from 'sharp';
import type { Colour } from './colour.ts';
import { type Face, photographOf } from './faces.ts';
import type { ReadLine } from './look.ts';
import { isCertain } from './staying.ts';

const jpegQuality = 88;

/** A line with so many letters and digits is print. Fewer are also read in hair and cloth. */
const printMin = 4;

/**
 * True if print was read with certainty within a face. Then it is none: the detector takes a whole page for a face now and then, with a higher score
 * than that of the photograph.
 */
export const hasPrint = (face: Face, read: readonly ReadLine[]): boolean =>
  read.some(
    ({ text, certainty, line }) =>
      isCertain(certainty) &&
      (text.match(/[\p{L}\d]/gu) ?? []).length >= printMin &&
      Math.abs(line.x - face.x) < face.width / 2 &&
      Math.abs(line.y - face.y) < face.height / 2,
  );

/** Cuts the photograph around a face out of a picture, upright, as a JPEG. */
export async function cutOut({ pixels, width, height }: Colour, face: Face): Promise<Buffer> {
  const shape = photographOf(face);
  const [xs, ys] = [shape.map(([x]) => x), shape.map(([, y]) => y)];
  const left = Math.min(Math.max(Math.floor(Math.min(...xs)), 0), width - 1);
  const top = Math.min(Math.max(Math.floor(Math.min(...ys)), 0), height - 1);
  const right = Math.max(Math.min(Math.ceil(Math.max(...xs)), width), left + 1);
  const bottom = Math.max(Math.min(Math.ceil(Math.max(...ys)), height), top + 1);
  const part = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: right - left, height: bottom - top })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return sharp(part.data, { raw: { width: part.info.width, height: part.info.height, channels: 3 } })
    .rotate(90 * face.quarters)
    .jpeg({ quality: jpegQuality })
    .toBuffer();
}
