import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Canvas } from './canvas.ts';

/** A face that belongs to nobody. */
export const inventedFace = readFileSync(join(import.meta.dirname, 'bsn/face.svg'));

/** Where the portrait is on a drawn document, in pixels of the drawing. */
const place = { left: 48, top: 144, width: 288, height: 360 } as const;

/** Puts a face on a drawn document in the place of the grey shape, in grey as on many documents. */
export async function withPortrait(front: Canvas, face: Buffer = inventedFace): Promise<Canvas> {
  const portrait = await sharp(face)
    .resize({ width: place.width, height: place.height, fit: 'cover' })
    .greyscale()
    .extractChannel(0)
    .raw()
    .toBuffer();
  for (let row = 0; row < place.height; row++)
    for (let column = 0; column < place.width; column++)
      front.pixels[(place.top + row) * front.width + place.left + column] =
        portrait[row * place.width + column] ?? 0;
  return front;
}
