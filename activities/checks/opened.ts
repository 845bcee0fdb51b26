import sharp, { type Sharp } from 'sharp';
import { sideMax } from '#platform/pictures/picture.ts';

/**
 * Makes libvips open nothing but JPEGs from now on. Each program that opens pictures begins with it. It gets pictures that were drawn anew as
 * JPEGs, and frames that have to be JPEGs, so anything else came from somebody who wants a decoder to fail.
 */
export function openOnlyJpegs(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
  sharp.cache(false);
  sharp.concurrency(1);
}

/** A picture that was drawn anew has no more. A larger one is refused by its header. */
const drawnAnewMax = sideMax * sideMax;

/** Opens a JPEG of at most so many pixels. Throws if there are no bytes. All other faults are thrown when the pixels are read. */
export const opened = (jpeg: Uint8Array, { pixelsMax = drawnAnewMax }: { pixelsMax?: number } = {}): Sharp =>
  sharp(jpeg, { limitInputPixels: pixelsMax });
