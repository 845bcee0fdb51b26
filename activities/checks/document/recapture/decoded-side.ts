import { opened } from '../../opened.ts';
import { coloursOf } from '../masking/colour.ts';
import type { Photograph } from './recapture.ts';

/** The longest side of the copy in colour. A pixel of it is the mean of many, so that noise has no colour. */
const coloursSide = 320;

/** Returns undefined if the bytes are not a picture. An error would cause another try, which cannot help. */
export async function decodedSide(jpeg: Uint8Array): Promise<Photograph | undefined> {
  try {
    const picture = opened(jpeg).greyscale().extractChannel(0).raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const colour = await coloursOf(opened(jpeg));
    const small = await opened(jpeg)
      .resize({ width: coloursSide, height: coloursSide, fit: 'inside' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return {
      grey: { pixels: new Uint8Array(data), width, height },
      colour,
      colours: {
        pixels: small.data,
        width: small.info.width,
        height: small.info.height,
        scale: small.info.width / width,
      },
    };
  } catch {
    return undefined;
  }
}
