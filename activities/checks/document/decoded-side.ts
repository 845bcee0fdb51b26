import sharp from 'sharp';
import type { Grey } from './grey.ts';

// What is examined is a JPEG. The glyphs of OCR-B are a PNG.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] });
sharp.cache(false);
sharp.concurrency(1);

/** Returns undefined if the bytes are not a picture. An error would cause another try, which cannot help. */
export async function decodedSide(jpeg: Uint8Array): Promise<Grey | undefined> {
  try {
    const picture = sharp(jpeg).greyscale().extractChannel(0).raw();
    const { data, info } = await picture.toBuffer({ resolveWithObject: true });
    return { pixels: new Uint8Array(data), width: info.width, height: info.height };
  } catch {
    return undefined;
  }
}
