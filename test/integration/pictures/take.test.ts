import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import type { PictureKind } from '#platform/pictures/picture.ts';
import { plainPng } from '#test/support/specimens/hostile/png.ts';
import { pictureDecoder } from './decoder.ts';

const { take: takePicture } = await pictureDecoder();

type Drawing = { width: number; height: number; at: (x: number, y: number) => number };

/** Makes grey pixels by a function of their place. The library of the product encodes the files. */
const drawn = ({ width, height, at }: Drawing) => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.fill(at(x, y), (y * width + x) * 3, (y * width + x + 1) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
};

/** Draws rows of small dark marks, like printed lines, on light paper on a darker table. */
const page = (width = 1500, height = 1000): Drawing => ({
  width,
  height,
  at: (x, y) => {
    if (x < 100 || y < 100 || x >= width - 100 || y >= height - 100) return 90;
    return y % 40 < 20 && (x >> 2) % 3 === 0 && (y >> 2) % 2 === 0 ? 30 : 210;
  },
});

/** Draws a bright round shape that fades into a wall. Its hair is about as sharp as the sharpest places of a good portrait. */
const portrait = (width = 960, height = 1280): Drawing => ({
  width,
  height,
  at: (x, y) => {
    const away = Math.hypot(x - width / 2, y - height / 2);
    const hair = away > 280 && away < 380 && (x + y) % 18 < 9 ? 10 : 0;
    return Math.round(100 + 90 * Math.max(0, 1 - away / 500) - (y / height) * 40 - hair);
  },
});

const jpegOf = (drawing: Drawing) => drawn(drawing).jpeg({ quality: 92 }).toBuffer();

const taken = async (bytes: Uint8Array, kind: PictureKind = 'document') => {
  const picture = await takePicture(bytes, kind);
  if ('fault' in picture) throw new Error(picture.fault);
  const { width, height } = await sharp(picture.jpeg).metadata();
  return { ...picture, width, height };
};

describe('a good picture', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('is taken as %s and comes out as JPEG', async (format) => {
    const { jpeg, width, height } = await taken(await drawn(page())[format]().toBuffer());
    expect({ width, height }).toEqual({ width: 1500, height: 1000 });
    expect(await sharp(jpeg).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1500,
      height: 1000,
      space: 'srgb',
    });
  });

  test('is at most 2400 pixels a side, and never enlarged', async () => {
    const { width, height } = await taken(await jpegOf(page(3600, 2400)));
    expect({ width, height }).toEqual({ width: 2400, height: 1600 });
  });

  test('comes out upright when its orientation lies in its metadata', async () => {
    const sideways = await drawn(page()).withExif({}).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { jpeg, width, height } = await taken(sideways);
    expect({ width, height }).toEqual({ width: 1000, height: 1500 });
    expect((await sharp(jpeg).metadata()).orientation).toBeUndefined();
  });

  test('of a face may be as smooth as a face is, but not as a document', async () => {
    const bytes = await jpegOf(portrait());
    await expect(taken(bytes, 'portrait')).resolves.toMatchObject({ width: 960, height: 1280 });
    await expect(takePicture(bytes, 'document')).resolves.toEqual({ fault: 'blurred' });
  });

  test('may lie on a table that is blown out', async () => {
    const { at, ...size } = page();
    const onWhite = { ...size, at: (x: number, y: number) => (at(x, y) === 90 ? 255 : at(x, y)) };
    await taken(await jpegOf(onWhite));
  });

  test('may be white paper on a grey table, as long as it can be read', async () => {
    const white = (writing: (x: number, y: number) => boolean): Drawing => ({
      ...page(),
      at: (x, y) => {
        if (x < 200 || y < 200 || x >= 1_300 || y >= 800) return 120;
        return writing(x, y) ? 40 : 255;
      },
    });
    const line = (x: number, y: number) => y % 40 < 20 && (x >> 2) % 3 === 0 && (y >> 2) % 2 === 0;
    await taken(await jpegOf(white(line)));
    const sheet = white(() => false);
    const card = (x: number, y: number) => x > 400 && x < 1_000 && y > 320 && y < 680;
    await taken(await jpegOf({ ...sheet, at: (x, y) => (card(x, y) ? page().at(x, y) : sheet.at(x, y)) }));
    await taken(await jpegOf(white((x, y) => y > 400 && y < 650 && x > 300 && x < 900 && line(x, y))));
  });

  test('may have a transparent ground', async () => {
    await taken(await drawn(page()).ensureAlpha(0.5).png().toBuffer());
  });
});

test('a photo of 50 megapixels and some 11 MB, as phones make them by default, is taken and reduced', async () => {
  const [width, height] = [8_160, 6_144];
  const scale = 5.44;
  const { at } = page(width / scale, Math.floor(height / scale));
  // The fine pattern of a sensor makes the file as large as a real one.
  const pixels = Buffer.alloc(width * height);
  for (let i = 0, noise = 1; i < pixels.length; i++) {
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fffffff;
    pixels[i] =
      at(Math.floor((i % width) / scale), Math.floor(i / width / scale)) + ((noise >> 16) % 40) - 20;
  }
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .toColourspace('srgb')
    .withExif({})
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 62 })
    .toBuffer();
  expect(bytes.length).toBeGreaterThan(6_000_000);
  expect(bytes.length).toBeLessThan(limits.pictureSizeBytesMax);
  const picture = await taken(bytes);
  expect([picture.width, picture.height]).toEqual([1_807, 2_400]);
}, 60_000);

test('so is one of 64 megapixels', async () => {
  const large = drawn(page()).resize({ width: 9_248, height: 6_936, fit: 'fill', kernel: 'nearest' });
  const picture = await taken(await large.jpeg().toBuffer());
  expect([picture.width, picture.height]).toEqual([2_400, 1_800]);
}, 60_000);

describe('nothing of the bytes survives', () => {
  test('neither what the metadata said', async () => {
    const exif = { IFD0: { Make: 'CANARY-MAKE' }, IFD3: { GPSLatitude: '52/1 22/1 0/1' } };
    const bytes = await drawn(page())
      .withExif(exif)
      .withIccProfile('p3')
      .withXmp('<x>CANARY-XMP</x>')
      .jpeg()
      .toBuffer();
    expect(bytes.includes('CANARY-MAKE')).toBe(true);
    const { jpeg } = await taken(bytes);
    expect(jpeg.includes('CANARY')).toBe(false);
    const { exif: left, icc, xmp, iptc } = await sharp(jpeg).metadata();
    expect([left, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('nor what was appended', async () => {
    const { jpeg } = await taken(
      Buffer.concat([await jpegOf(page()), Buffer.from('PK\x03\x04<script>CANARY')]),
    );
    expect(jpeg.includes('CANARY')).toBe(false);
  });
});

describe('is no picture:', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="1500" height="1000"><rect width="9" height="9"/></svg>';

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('not a picture')],
    [
      'random bytes behind the mark of a JPEG',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(999, 7)]),
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['SVG', Buffer.from(svg)],
    ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ])('%s', async (_, bytes) => {
    await expect(takePicture(bytes, 'document')).resolves.toEqual({ fault: 'not_a_picture' });
  });

  test.each([
    ['gif', () => drawn(page()).gif()],
    ['tiff', () => drawn(page()).tiff()],
    ['avif', () => drawn(page()).avif({ effort: 0 })],
  ])('%s', async (_, file) => {
    await expect(takePicture(await file().toBuffer(), 'document')).resolves.toEqual({
      fault: 'not_a_picture',
    });
  });
});

describe('a file that lacks its end', () => {
  const formats = ['jpeg', 'png', 'webp'] as const;
  const fileOf = async (format: (typeof formats)[number]) =>
    drawn(page())[format]({ quality: 92 }).toBuffer();
  /** The mean difference of two pictures, in grey values. */
  const difference = async (a: Uint8Array, b: Uint8Array) => {
    const [one, other] = await Promise.all([a, b].map((jpeg) => sharp(jpeg).greyscale().raw().toBuffer()));
    if (one === undefined || other === undefined) throw new Error('no pixels');
    return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
  };
  /** The bytes after the last pixel: the end mark, the last chunk, and the metadata that a WebP has last. */
  const endBytes: Record<(typeof formats)[number], number[]> = {
    jpeg: [1, 2],
    png: [1, 4, 8, 12, 14, 16],
    webp: [1, 20, 60],
  };

  test.each(formats)('is taken as %s where every pixel is there', async (format) => {
    const bytes =
      format === 'webp'
        ? await drawn(page())
            .withXmp(`<x>${'a'.repeat(200)}</x>`)
            .webp({ quality: 92 })
            .toBuffer()
        : await fileOf(format);
    const complete = await taken(bytes);
    for (const lost of endBytes[format]) {
      const { jpeg } = await taken(bytes.subarray(0, bytes.length - lost));
      expect(await difference(jpeg, complete.jpeg), `${lost} bytes`).toBeLessThan(0.5);
    }
  });

  test('is taken as a progressive JPEG too', async () => {
    const bytes = await drawn(page()).jpeg({ quality: 92, progressive: true }).toBuffer();
    await taken(bytes.subarray(0, -2));
  });

  test.each(formats)('is told apart as %s if rows are missing', async (format) => {
    const bytes = await fileOf(format);
    for (const share of [0.5, 0.9, 0.98])
      expect(
        await takePicture(bytes.subarray(0, Math.floor(share * bytes.length)), 'document'),
        `${share}`,
      ).toEqual({ fault: 'incomplete' });
  });

  test('is told apart as JPEG if rows are missing before its end', async () => {
    const bytes = await fileOf('jpeg');
    for (const share of [0.5, 0.9, 0.98]) {
      const rest = bytes.subarray(0, Math.floor(share * bytes.length));
      const repaired = Buffer.concat([rest, bytes.subarray(-2)]);
      expect(await takePicture(repaired, 'document'), `${share}`).toEqual({ fault: 'incomplete' });
    }
  });

  test('is taken as JPEG with all its rows, whatever else a decoder remarks', async () => {
    const bytes = await fileOf('jpeg');
    const tables = bytes.indexOf(Buffer.from([0xff, 0xdb]));
    await taken(Buffer.concat([bytes.subarray(0, tables), Buffer.alloc(4), bytes.subarray(tables)]));
  });

  test.each(formats)('is taken as %s with anything after its end', async (format) => {
    const rest = [Buffer.alloc(1), Buffer.alloc(5_000), Buffer.from('SEFT and more'), await jpegOf(page())];
    for (const more of rest) await taken(Buffer.concat([await fileOf(format), more]));
  });
});

describe('in one word why not', () => {
  test('too_large: a bomb, however small its file', async () => {
    const bomb = plainPng(30_000, 30_000);
    expect(bomb.length).toBeLessThan(200_000);
    await expect(takePicture(bomb, 'document')).resolves.toEqual({ fault: 'too_large' });
  });

  test('too_large: more decoded bytes than a photograph of the same size has', async () => {
    const [alpha, bits] = [6, 16];
    const deep = plainPng(6_300, 6_300, { bits, type: alpha });
    await expect(takePicture(deep, 'document')).resolves.toEqual({ fault: 'too_large' });
  });

  test.each([
    ['document', page(999, 700)],
    ['document', page(1200, 599)],
    ['document', page(600, 2500)],
    ['portrait', portrait(479, 700)],
    ['portrait', portrait(480, 2500)],
  ] as const)('too_small: a %s', async (kind, drawing) => {
    await expect(takePicture(await jpegOf(drawing), kind)).resolves.toEqual({ fault: 'too_small' });
  });

  test.each([
    ['document', page()],
    ['portrait', portrait()],
  ] as const)('too_dark: a %s by a fifth of the light', async (kind, drawing) => {
    const dark = await drawn(drawing).linear(0.2, 0).jpeg().toBuffer();
    await expect(takePicture(dark, kind)).resolves.toEqual({ fault: 'too_dark' });
  });

  test.each([
    ['document', page()],
    ['portrait', portrait()],
  ] as const)('blurred: a %s out of focus', async (kind, drawing) => {
    const soft = await drawn(drawing).blur(5).jpeg().toBuffer();
    await expect(takePicture(soft, kind)).resolves.toEqual({ fault: 'blurred' });
  });

  test('blurred: a picture of nothing', async () => {
    const white = { width: 1500, height: 1000, at: () => 255 };
    await expect(takePicture(await jpegOf(white), 'document')).resolves.toEqual({ fault: 'blurred' });
  });

  test('glare: a lamp over a document; over a face it is let be', async () => {
    const lamp = ({ at, ...size }: Drawing): Drawing => ({
      ...size,
      at: (x, y) => (Math.hypot(x - size.width / 2, y - size.height / 2) < 150 ? 255 : at(x, y)),
    });
    await expect(takePicture(await jpegOf(lamp(page())), 'document')).resolves.toEqual({ fault: 'glare' });
    const { at, ...size } = page();
    const onWhite: Drawing = { ...size, at: (x, y) => (at(x, y) === 210 ? 244 : at(x, y)) };
    await expect(takePicture(await jpegOf(lamp(onWhite)), 'document')).resolves.toEqual({ fault: 'glare' });
    await taken(await jpegOf(lamp(portrait())), 'portrait');
  });
});

test('many at once are taken in turn, and each gets its own', async () => {
  const widths = [1200, 1240, 1280, 1320, 1360, 1400];
  const files = await Promise.all(widths.map((width) => jpegOf(page(width, 800))));
  const pictures = await Promise.all(files.map((bytes) => taken(bytes)));
  expect(pictures.map(({ width }) => width)).toEqual(widths);
});
