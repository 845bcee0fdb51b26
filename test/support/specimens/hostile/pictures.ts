import sharp, { type Sharp } from 'sharp';
import type { PictureFault } from '#platform/pictures/picture.ts';
import { bytesOf } from '../../seed.ts';
import { drawn } from '../card.ts';
import { eriksson } from '../people.ts';
import { photograph } from '../photograph.ts';
import { withPortrait } from '../with-portrait.ts';
import { arithmetic, declaring, lying, withBrokenProfile, withComment, withScans } from './jpeg.ts';
import { animatedPng, plainPng } from './png.ts';

/** Words in the files that nothing may repeat. */
export const canary = 'CANARY-IN-A-PICTURE';

/** A photograph of a passport with a portrait. It is a good picture. */
export const passport: Buffer = withComment(
  await photograph(await withPortrait(drawn({ format: 'TD3', person: eriksson }).front)),
  canary,
);

export type HostilePicture = {
  make(): Buffer | Promise<Buffer>;
  /** What becomes of it as an upload: its fault, or what the picture shows that is made of it. */
  upload: PictureFault | Shown;
  /** What a program finds on it that examines pictures: nothing is opened, or what it shows. */
  direct: 'refused' | Shown;
};
type Shown = 'the passport' | 'nothing';

/** Without the byte that begins a mark in a JPEG. */
const noise = Buffer.from(bytesOf('picture', 50_000).map((byte) => Math.min(byte, 0xfe)));
const cut = (share: number) => passport.subarray(0, Math.floor(share * passport.length));
const as = (change: (picture: Sharp) => Sharp) => change(sharp(passport)).toBuffer();
const sized = (width: number, height: number) => (picture: Sharp) =>
  picture.resize({ width, height, fit: 'fill', kernel: 'nearest' }).jpeg();
const isRefused = (upload: PictureFault, make: HostilePicture['make']): HostilePicture => ({
  ...{ make, upload, direct: 'refused' },
});
/** The picture is good as an upload, and is no JPEG of a size that a program would get. */
const isDrawnAnew = (make: HostilePicture['make']): HostilePicture => ({
  ...{ make, upload: 'the passport', direct: 'refused' },
});
const isRight = (make: HostilePicture['make']): HostilePicture => ({
  ...{ make, upload: 'the passport', direct: 'the passport' },
});

/** Files that are made to harm, and files that are odd though somebody may send them. */
export const hostile: Readonly<Record<string, HostilePicture>> = {
  'a PNG of 30,000 x 30,000 pixels of one colour': isRefused('too_large', () => plainPng(30_000, 30_000)),
  'a PNG of 16,000 x 16,000 pixels of one colour': isRefused('too_large', () => plainPng(16_000, 16_000)),
  'a JPEG of 16,000 x 16,000 pixels of one colour': isRefused('too_large', () =>
    sharp({ create: { width: 16_000, height: 16_000, channels: 3, background: 'grey' } })
      .jpeg()
      .toBuffer(),
  ),
  'a JPEG that says it has 65,000 x 65,000 pixels': isRefused('too_large', () =>
    declaring(passport, 65_000, 65_000),
  ),
  'a JPEG that says it has 8,000 x 8,000 pixels': isRefused('incomplete', () =>
    declaring(passport, 8_000, 8_000),
  ),
  'a tenth of a JPEG': isRefused('incomplete', () => cut(0.1)),
  'half of a JPEG': isRefused('incomplete', () => cut(0.5)),
  'nine tenths of a JPEG': isRefused('incomplete', () => cut(0.9)),
  'no bytes': isRefused('not_a_picture', () => Buffer.alloc(0)),
  'random bytes': isRefused('not_a_picture', () => noise),
  'random bytes after the mark of a JPEG': isRefused('not_a_picture', () =>
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), noise]),
  ),
  'an animated WebP': isDrawnAnew(async () =>
    sharp([await as((p) => p.png()), await as((p) => p.negate().png())], { join: { animated: true } })
      .webp({ quality: 90 })
      .toBuffer(),
  ),
  'an animated PNG': isDrawnAnew(async () =>
    animatedPng([await as((p) => p.png()), await as((p) => p.negate().png())]),
  ),
  'a JPEG in CMYK': isRight(() => as((p) => p.toColourspace('cmyk').jpeg({ quality: 92 }))),
  'a PNG of 16 bits': isDrawnAnew(() => as((p) => p.toColourspace('rgb16').png())),
  'a grey PNG of 16 bits': isDrawnAnew(() => as((p) => p.toColourspace('grey16').png())),
  'a grey JPEG': isRight(() => as((p) => p.toColourspace('b-w').jpeg({ quality: 92 }))),
  'a JPEG of 40 megapixels': isDrawnAnew(() => as(sized(8_000, 5_000))),
  'a JPEG of 1 x 20,000 pixels': { ...isRefused('too_small', () => as(sized(1, 20_000))), direct: 'nothing' },
  'a JPEG of 20,000 x 1 pixels': { ...isRefused('too_small', () => as(sized(20_000, 1))), direct: 'nothing' },
  'a JPEG that lies in a direction that there is not': isRight(() => lying(passport, 65_535)),
  'a progressive JPEG': isRight(() => as((p) => p.jpeg({ progressive: true, quality: 92 }))),
  'a progressive JPEG with 50,000 scans': isRefused('not_a_picture', async () =>
    withScans(await as((p) => p.jpeg({ progressive: true })), 50_000),
  ),
  'a progressive JPEG of 40 megapixels with 2,000 scans': isRefused('not_a_picture', async () =>
    withScans(await as((p) => sized(8_000, 5_000)(p).jpeg({ progressive: true })), 2_000),
  ),
  'a JPEG with a broken profile of colours': isRight(() => withBrokenProfile(passport)),
  'a JPEG that says it is in the arithmetic code, and is not': {
    ...{ make: () => arithmetic(passport), upload: 'nothing', direct: 'nothing' },
  },
  'a JPEG of noise, as large as the product makes one': {
    make: () =>
      sharp(bytesOf('noise', 2_400 * 2_400), { raw: { width: 2_400, height: 2_400, channels: 1 } })
        .toColourspace('srgb')
        .jpeg({ quality: 92 })
        .toBuffer(),
    ...{ upload: 'nothing', direct: 'nothing' },
  },
  'a GIF': isRefused('not_a_picture', () => as((p) => p.gif())),
  'a TIFF': isRefused('not_a_picture', () => as((p) => p.tiff())),
  'an AVIF': isRefused('not_a_picture', () => as((p) => p.avif({ effort: 0 }))),
  'the beginning of a HEIC': isRefused('not_a_picture', () =>
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
  ),
  'an SVG': isRefused('not_a_picture', () =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000"><text>${canary}</text></svg>`,
    ),
  ),
};
