import sharp, { type Metadata, type SharpOptions } from 'sharp';
import { withEnd } from './file-end.ts';
import { hasGlare } from './glare.ts';
import {
  type Logo,
  logoSides,
  type Picture,
  type PictureFault,
  type PictureKind,
  sideMax,
} from './picture.ts';
import { type Grey, laplacianVariance, tilesOf } from './tiles.ts';

// Uploads may be hostile. In the whole process, libvips may therefore use only these three decoders.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
// The cache is off, since libvips seldom decodes the same bytes twice. With one thread per picture, other processors stay free for
// requests.
sharp.cache(false);
sharp.concurrency(1);

/** The highest accepted number of pixels (width times height). Many phones make photos of 50 or 64 million. */
const pixelsMax = 65_000_000;
/**
 * The highest accepted size of all decoded pixels. A photograph of 65 million pixels has 195 MB. A PNG may have four channels of 16
 * bits, which is 520 MB.
 */
const decodedBytesMax = 200_000_000;
const decodeSecondsMax = 15;

const jpegQuality = 88;

/**
 * The smallest accepted sides in pixels. A camera of 1280 × 720 is enough for a card. A camera of 640 × 480 is enough for a face.
 */
const sidesMin = {
  document: { longer: 1000, shorter: 600 },
  portrait: { longer: 640, shorter: 480 },
  logo: { longer: 32, shorter: 16 },
} as const;

/**
 * The longest side, in pixels, of the copy on which sharpness is measured. Because of this copy, the result depends little on the
 * resolution of the camera.
 */
const measuredSide = 1200;

/**
 * The lowest accepted brightness, as the 99th percentile over all pixels (0 to 255). A picture at a fifth of normal light measures
 * about 55. A dim but good portrait measures 150.
 */
const brightnessMin = 80;

/**
 * The lowest accepted sharpness: the 95th percentile of the Laplacian's variance over all tiles, divided by contrast squared. Sharp
 * documents measure over 2000. A blur of 1.5 px reduces the value to 1000, and a blur of 3 px to 200. Sharp portraits measure over
 * 350. With a blur of 1.5 px the value is between 90 and 290. With a blur of 3 px it is between 20 and 60.
 */
const sharpnessMin: Record<PictureKind, number> = { document: 400, portrait: 70 };

/**
 * Encodes an uploaded JPEG, PNG or WebP again, as an upright JPEG of at most 2400 pixels a side. If the picture is unusable,
 * returns its fault. The result contains no metadata (EXIF, GPS) and no data that was appended to the upload. A file without its end is
 * taken if every pixel is there.
 */
export async function takePicture(
  bytes: Buffer,
  kind: PictureKind,
): Promise<Picture | { fault: PictureFault }> {
  const ended = withEnd(bytes);
  const file: File = ended === undefined ? { bytes, ...asItIs } : { bytes: ended, ...whole };
  const unreadable = ended === undefined ? 'not_a_picture' : 'incomplete';
  const fault = await headerFault(file, kind);
  if (fault !== undefined) return { fault: fault === 'not_a_picture' ? unreadable : fault };
  const picture = await wholePicture(file);
  if (picture === undefined) return { fault: unreadable };
  return 'fault' in picture ? picture : ((await lookFault(picture, kind)) ?? picture);
}

type File = { bytes: Uint8Array } & Pick<SharpOptions, 'failOn'>;

/** Many cameras write files on which a decoder has something to remark. */
const asItIs = { failOn: 'error' } as const;
/** A decoder only remarks on pixels that are not there. */
const whole = { failOn: 'warning' } as const;
/** The remark of the decoder of JPEG on a file whose pixels end before it does, for example because a tool gave it its end back. */
const lacksPixels = /premature end/i;

/** Returns undefined if the file cannot be opened. If the decoder remarks on anything but missing pixels, the picture is taken. */
async function wholePicture(file: File): Promise<Picture | { fault: PictureFault } | undefined> {
  const picture = await redrawn({ ...file, ...whole });
  if (!(picture instanceof Error)) return picture;
  if (lacksPixels.test(picture.message)) return { fault: 'incomplete' };
  const again = file.failOn === whole.failOn ? picture : await redrawn(file);
  return again instanceof Error ? undefined : again;
}

/** Draws an uploaded JPEG, PNG or WebP anew as a small PNG, which keeps its transparency. */
export async function drawLogo(bytes: Uint8Array): Promise<Logo | { fault: PictureFault }> {
  const fault = await headerFault({ bytes, ...asItIs }, 'logo');
  if (fault !== undefined) return { fault };
  try {
    const png = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'error' })
      .autoOrient()
      .resize({ ...logoSides, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ palette: true, colours: 256, compressionLevel: 9 })
      .timeout({ seconds: decodeSecondsMax })
      .toBuffer();
    return { png };
  } catch {
    return { fault: 'not_a_picture' };
  }
}

/** Checks the size in the header before any pixel is decoded, so that a decompression bomb is refused without work. */
async function headerFault(file: File, kind: PictureKind | 'logo'): Promise<PictureFault | undefined> {
  const header = await headerOf(file);
  if (header === undefined) return 'not_a_picture';
  const [shorter = 0, longer = 0] = [header.width, header.height].toSorted((a, b) => a - b);
  const bytesOfPixel = header.channels * (header.depth === 'uchar' ? 1 : 2);
  const pixels = shorter * longer;
  if (pixels > pixelsMax || pixels * bytesOfPixel > decodedBytesMax) return 'too_large';
  const least = sidesMin[kind];
  // A very long picture loses most of its shorter side when it is reduced.
  const shorterLeft = shorter * Math.min(1, sideMax / longer);
  return shorterLeft < least.shorter || longer < least.longer ? 'too_small' : undefined;
}

async function headerOf({ bytes, failOn }: File): Promise<Metadata | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: false, failOn }).metadata();
  } catch {
    return undefined;
  }
}

async function redrawn({ bytes, failOn }: File): Promise<Picture | Error> {
  try {
    const jpeg = await sharp(bytes, { limitInputPixels: pixelsMax, failOn })
      .autoOrient()
      .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: jpegQuality })
      .timeout({ seconds: decodeSecondsMax })
      .toBuffer();
    return { jpeg };
  } catch (error) {
    return error as Error;
  }
}

async function lookFault({ jpeg }: Picture, kind: PictureKind): Promise<{ fault: PictureFault } | undefined> {
  const grey = await greyCopy(jpeg);
  const { darkest, brightest } = lightOf(grey.pixels);
  if (brightest < brightnessMin) return { fault: 'too_dark' };
  const contrast = Math.max(brightest - darkest, 1) / 255;
  if (sharpness(grey) / contrast ** 2 < sharpnessMin[kind]) return { fault: 'blurred' };
  return kind === 'document' && hasGlare(grey, sharpnessMin.document) ? { fault: 'glare' } : undefined;
}

async function greyCopy(jpeg: Buffer): Promise<Grey> {
  const { data, info } = await sharp(jpeg)
    .resize({ width: measuredSide, height: measuredSide, fit: 'inside', withoutEnlargement: true })
    .greyscale()
    .raw()
    .timeout({ seconds: decodeSecondsMax })
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** `darkest` is the 1st percentile of brightness, and `brightest` is the 99th percentile. */
function lightOf(pixels: Uint8Array): { darkest: number; brightest: number } {
  const counts = new Uint32Array(256);
  for (const pixel of pixels) counts[pixel] = (counts[pixel] ?? 0) + 1;
  const atRank = (rank: number) => {
    let seen = 0;
    return counts.findIndex((count) => {
      seen += count;
      return seen > rank;
    });
  };
  return { darkest: atRank(pixels.length * 0.01), brightest: atRank(pixels.length * 0.99) };
}

function sharpness(grey: Grey): number {
  const variances = tilesOf(grey, (x, y) => laplacianVariance(grey, x, y))
    .flat()
    .toSorted((a, b) => a - b);
  return variances[Math.floor(variances.length * 0.95)] ?? 0;
}
