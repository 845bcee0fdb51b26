import sharp from 'sharp';
import { type Colour, coloursOf } from '../document/masking/colour.ts';

// Frames come from strangers, and only JPEGs are asked for. Whoever imports this file opens nothing else.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** A frame has at most 480 x 480 pixels if it was made as asked. A larger one would only take time. */
const pixelsMax = 1_300_000;

/** Returns undefined if the bytes are no frame. */
export const decodedFrame = (jpeg: Uint8Array): Promise<Colour | undefined> =>
  coloursOf(sharp(jpeg, { limitInputPixels: pixelsMax }));
