import sharp from 'sharp';
import type { Colour } from '../document/masking/colour.ts';

/** A small copy of a picture in grey. */
export type Small = Uint8Array;
const size = { width: 64, height: 64 } as const;

export async function smallOf({ pixels, width, height }: Colour): Promise<Small> {
  const grey = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ ...size, fit: 'fill' })
    .greyscale()
    .extractChannel(0)
    .raw()
    .toBuffer();
  return new Uint8Array(grey);
}

/**
 * The mean difference in grey values up to which two pictures are the same one. It is low: the noise of a camera alone makes more, also
 * where nothing moves. A picture that was only saved once more makes less.
 */
const sameMax = 0.12;

export function isSame(a: Small, b: Small): boolean {
  let difference = 0;
  for (const [index, value] of a.entries()) difference += Math.abs(value - (b[index] ?? 0));
  return difference / a.length <= sameMax;
}

/**
 * Says of each picture whether it is the same as an earlier one. A camera that is slow gives one picture twice, so what equals the picture
 * just before does not count.
 */
export function repeatedOf(pictures: readonly (Small | undefined)[]): boolean[] {
  /** The pictures before, without those that equal the one just before them. */
  const earlier: Small[] = [];
  return pictures.map((picture) => {
    const last = earlier.at(-1);
    if (picture === undefined || (last !== undefined && isSame(picture, last))) return false;
    const isRepeated = earlier.some((each) => isSame(picture, each));
    earlier.push(picture);
    return isRepeated;
  });
}
