import { opened } from '../../opened.ts';
import { type Colour, coloursOf } from '../masking/colour.ts';

/** At this longest side in pixels, a character of a machine-readable zone still has 15 pixels or more. */
const sideMax = 1600;

/** A part of a picture: its left upper corner and its size, as shares of the picture's sides. */
export type Part = { left: number; top: number; width: number; height: number };

/**
 * Decodes a JPEG, or a part of it, in a smaller size. The whole of it is not cut first, because the decoder can then shrink while it reads.
 * Returns undefined if the bytes are not a picture.
 */
async function decodedReduced(jpeg: Uint8Array, part?: Part): Promise<Colour | undefined> {
  try {
    const picture = opened(jpeg);
    const cut = part === undefined ? picture : picture.extract(inPixels(part, await picture.metadata()));
    return await coloursOf(
      cut.resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true }),
    );
  } catch {
    return undefined;
  }
}

function inPixels(part: Part, { width, height }: { width: number; height: number }) {
  const [left, top] = [Math.floor(part.left * width), Math.floor(part.top * height)];
  return {
    ...{ left, top },
    width: Math.max(1, Math.min(width - left, Math.round(part.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(part.height * height))),
  };
}

/** A picture in less detail, and a function that returns a part of it in more. */
export type Seen = { picture: Colour; closer(part: Part): Promise<Colour> };

/** Returns undefined if the bytes are not a picture. */
export async function seenIn(jpeg: Uint8Array): Promise<Seen | undefined> {
  const picture = await decodedReduced(jpeg);
  return picture && { picture, closer: async (part) => (await decodedReduced(jpeg, part)) ?? picture };
}
