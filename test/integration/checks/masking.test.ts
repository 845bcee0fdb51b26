import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { type Colour, decodedColour, greyOf, jpegOf } from '#activities/checks/document/masking/colour.ts';
import { findFaces } from '#activities/checks/document/masking/faces.ts';
import { locateSmallLines, readLines } from '#activities/checks/document/masking/look.ts';
import { coverSelfie } from '#activities/checks/document/masking/selfie.ts';
import type { MaskedDocument, MaskingRequest } from '#activities/checks/port.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { link, programsBelow, read } from '#test/integration/pictures/processes.ts';
import { documentMasker } from '#test/support/examiners/document-masker.ts';
import {
  bareShareOf,
  codesIn,
  isReadableIn,
  noTesseract,
  textOf,
} from '#test/support/specimens/bsn/judge.ts';
import { bsnSpecimen, type Form, type Kind, type Printed } from '#test/support/specimens/bsn/specimens.ts';
import { maskingTools } from '#test/support/specimens/bsn/tools.ts';
import { type Canvas, sans, write } from '#test/support/specimens/canvas.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { inventedFace, withPortrait } from '#test/support/specimens/with-portrait.ts';

const masker = await documentMasker();
afterAll(() => masker.close());

const request: MaskingRequest = {
  use: 'kept',
  organisation: '<script>alert("x")</script> & Zn. 🎉',
  purpose: 'huurcontract',
  date: '2026-11-23',
  language: 'nl',
  coverPortrait: true,
};

/** The share of the pixels of a picture that are as dark as a cover, within 16 of it. */
async function coveredShare(jpeg: Uint8Array): Promise<number> {
  const { data } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true });
  return data.filter((value) => Math.abs(value - 24) < 16).length / data.length;
}

const pixelsOf = ({ has }: Pick<Printed, 'has'>): number =>
  Array.from({ length: 1200 }, (_, y) => Array.from({ length: 1600 }, (_, x) => has(x, y)))
    .flat()
    .filter(Boolean).length;

/** The share of these pixels that are as dark as a cover, and have no colour. Ink has some, and is seldom just as dark. */
function coveredShareOf({ pixels, width, height }: Colour, { has }: Pick<Printed, 'has'>): number {
  let [all, covered] = [0, 0];
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      if (!has(x, y)) continue;
      all += 1;
      const [red = 0, green = 0, blue = 0] = pixels.subarray(3 * (y * width + x));
      if ([red, green, blue].every((value) => Math.abs(value - 24) <= 1)) covered += 1;
    }
  return Math.round((10 * covered) / all) / 10;
}

function meanDifference(one: Colour, other: Colour): number {
  let sum = 0;
  for (const [index, value] of one.pixels.entries()) sum += Math.abs(value - (other.pixels[index] ?? 0));
  return sum / one.pixels.length;
}

async function expectSameSize(copy: Uint8Array, original: Uint8Array): Promise<void> {
  const [{ width, height, exif }, before] = await Promise.all([
    sharp(copy).metadata(),
    sharp(original).metadata(),
  ]);
  expect([width, height]).toEqual([before.width, before.height]);
  expect(exif).toBeUndefined();
}

async function maskedSpecimen(kind: Kind, form: Form, more: Partial<MaskingRequest> = {}) {
  const specimen = await bsnSpecimen(0, { kind, form, shot: { tilt: 3 } });
  const masked = await masker.mask(specimen, { ...request, ...more });
  await expectSameSize(masked.front, specimen.front);
  if (specimen.back !== null && masked.back !== null) await expectSameSize(masked.back, specimen.back);
  return { specimen, masked };
}

/** Invented. The test of eleven holds for it. */
const number = '123456782';
const lettering = await sans();

/** Writes on a light strip at the lower edge of the drawn portrait. */
function writeBelowFace(on: Canvas, text: string): void {
  const [left, top, wide, high] = [48, 456, 288, 48];
  for (let row = top; row < top + high; row++)
    on.pixels.fill(212, row * on.width + left, row * on.width + left + wide);
  write(on, text, left + 24, top + 6, { lettering, height: 36, dark: 25 });
}

const tools = await maskingTools();

async function opened(jpeg: Uint8Array) {
  const picture = await decodedColour(jpeg);
  if (picture === undefined) throw new Error('no picture');
  return picture;
}

/** The digits that the product itself reads in a picture, line after line. */
async function digitsIn(jpeg: Uint8Array): Promise<string> {
  const picture = greyOf(await opened(jpeg));
  const lines = await locateSmallLines(picture, tools.models);
  const read = await readLines(picture, lines, 0, tools.models);
  return read.map(({ text }) => text.replaceAll(/[^\d\p{L}]/gu, '')).join(' ');
}

const facesIn = async (jpeg: Uint8Array) => (await findFaces(await opened(jpeg), 0, tools.faces)).length;

/** A face, and below it a side of a document that the person holds before the camera. */
async function selfieWith(kind: Kind | undefined, side: 'front' | 'back' = 'front') {
  const specimen = await bsnSpecimen(0, { kind: kind ?? 'passport of 2011', form: 'plain', shot: {} });
  const face = await sharp(inventedFace).resize({ width: 900 }).png().toBuffer();
  const held =
    kind === undefined
      ? undefined
      : await sharp(specimen[side] as Buffer)
          .resize({ width: 1600 })
          .toBuffer();
  const selfie = await sharp({ create: { width: 1800, height: 2400, channels: 3, background: '#b3a595' } })
    .composite([
      { input: face, left: 450, top: 40 },
      ...(held === undefined ? [] : [{ input: held, left: 100, top: 1180 }]),
    ])
    .jpeg({ quality: 90 })
    .toBuffer();
  return { specimen, selfie };
}

const wordsOf = ({ bsnDetected, inDoubt }: MaskedDocument) => ({ bsnDetected, inDoubt });

test('the number of a passport is covered in print and zone, and the portrait is cut out', async () => {
  const { specimen, masked } = await maskedSpecimen('passport of 2011', 'dotted');
  expect(wordsOf(masked)).toEqual({ bsnDetected: true, inDoubt: false });
  expect(masked.back).toBeNull();
  expect(masked.portrait).not.toBeNull();
  const share = await coveredShare(masked.front);
  expect(share).toBeGreaterThan(0.03);
  expect(share).toBeLessThan(0.3);
  expect(await bareShareOf(specimen.front, specimen.printed)).toBeGreaterThan(0.3);
  expect(await bareShareOf(masked.front, specimen.printed)).toBe(0);
});

test('another reader reads the number of a passport in the photograph, and not in the copy', async ({
  skip,
}) => {
  const missing = await noTesseract();
  skip(missing !== undefined, missing);
  const { specimen, masked } = await maskedSpecimen('passport of 2011', 'dotted');
  expect(isReadableIn(await textOf(specimen.front, specimen.degrees), specimen.bsn)).toBe(true);
  expect(isReadableIn(await textOf(Buffer.from(masked.front), specimen.degrees), specimen.bsn)).toBe(false);
});

test('a barcode on the back cannot be decoded any more, and the number beside it is covered', async () => {
  const { specimen, masked } = await maskedSpecimen('card of 2021', 'grouped');
  expect(await codesIn(specimen.back as Buffer)).toContain(specimen.bsn);
  expect(await codesIn(Buffer.from(masked.back as Uint8Array))).toEqual([]);
  expect(await bareShareOf(specimen.back as Buffer, specimen.printed)).toBeGreaterThan(0.3);
  expect(await bareShareOf(masked.back as Uint8Array, specimen.printed)).toBe(0);
  expect(wordsOf(masked)).toEqual({ bsnDetected: true, inDoubt: false });
});

test('a document whose zone says little, as that of a driving licence, is in doubt', async () => {
  const { masked } = await maskedSpecimen('driving licence', 'plain');
  expect(wordsOf(masked)).toEqual({ bsnDetected: true, inDoubt: true });
  expect(await coveredShare(masked.front)).toBeGreaterThan(0.6);
  expect(await coveredShare(masked.back as Uint8Array)).toBeGreaterThan(0.6);
  expect(masked.portrait, 'in doubt no photograph is kept').toBeNull();
});

describe('the copy for the member who decides', () => {
  const forReview = { use: 'review' } as const;

  test.each([
    ['of a driving licence, whose zone says little', 'driving licence', 'plain', 'back'],
    ['of a passport on which no number is found', 'passport of 2014', 'tiny', 'front'],
    ['of a card with a code', 'card of 2021', 'grouped', 'back'],
  ] as const)('%s shows all but the number', async (_, kind, form, side) => {
    const { specimen, masked } = await maskedSpecimen(kind, form, forReview);
    const [before, after] = await Promise.all([specimen.front, masked.front].map(opened));
    for (const [value, where] of Object.entries(specimen.values))
      expect([value, coveredShareOf(after as Colour, where)]).toEqual([value, 0]);
    expect(meanDifference(before as Colour, after as Colour), 'there is no watermark').toBeLessThan(12);
    expect(await bareShareOf(specimen[side] as Buffer, specimen.printed)).toBeGreaterThan(0.1);
    expect(await bareShareOf(masked[side] as Uint8Array, specimen.printed)).toBe(0);
    expect(await codesIn(Buffer.from((masked.back ?? masked.front) as Uint8Array))).toEqual([]);
    expect(await facesIn(masked.portrait as Uint8Array)).toBe(1);
  });

  test('covers a number whose digits stand far apart on a document that stands, and cuts the portrait out of it', async () => {
    // The detector of faces takes nearly the whole of this page for a face, and is surer of it than of the portrait.
    const specimen = await bsnSpecimen(22);
    const masked = await masker.mask(specimen, { ...request, ...forReview });
    expect(await bareShareOf(specimen.front, specimen.printed)).toBeGreaterThan(0.3);
    expect(await bareShareOf(masked.front, specimen.printed)).toBe(0);
    const { width = 0, height = 0 } = await sharp(masked.portrait as Uint8Array).metadata();
    const portrait = pixelsOf(specimen.values.portrait);
    expect(width * height).toBeGreaterThan(0.7 * portrait);
    expect(width * height).toBeLessThan(3 * portrait);
  });

  test('covers a code, and not what lies around it', async () => {
    const specimen = await bsnSpecimen(2);
    expect(specimen.kind).toBe('passport with its back');
    const masked = await masker.mask(specimen, { ...request, ...forReview });
    expect(await codesIn(specimen.back as Buffer)).toContain(specimen.bsn);
    expect(await codesIn(Buffer.from(masked.back as Uint8Array))).toEqual([]);
    expect(await bareShareOf(masked.back as Uint8Array, specimen.printed)).toBe(0);
    expect(await coveredShare(masked.back as Uint8Array)).toBeLessThan(0.08);
  });

  test('covers a number that stands on the photograph, and leaves the face', async () => {
    const { front } = drawn({ format: 'TD3', person: eriksson });
    await withPortrait(front);
    writeBelowFace(front, number);
    const picture = await photograph(front);
    const masked = await masker.mask({ front: picture, back: null }, { ...request, ...forReview });
    expect(await digitsIn(masked.front)).not.toContain(number);
    expect(await digitsIn(masked.portrait as Uint8Array)).not.toMatch(/\d{6}/);
    expect(await facesIn(masked.portrait as Uint8Array)).toBe(1);
  });
});

test('the photograph of the holder that is kept has no number either, and still a face', async () => {
  const { front } = drawn({ format: 'TD3', person: eriksson });
  await withPortrait(front);
  writeBelowFace(front, number);
  const picture = await photograph(front);
  expect(await digitsIn(picture)).toContain(number);
  const masked = await masker.mask({ front: picture, back: null }, request);
  expect(masked.inDoubt).toBe(false);
  const portrait = Buffer.from(masked.portrait as Uint8Array);
  expect(await digitsIn(portrait)).not.toMatch(/\d{6}/);
  expect(await facesIn(portrait)).toBe(1);
});

/** Where the number is before the wall of writing. */
const numberAt = { has: (x: number, y: number) => x >= 700 && x < 1020 && y >= 2050 && y < 2105 };

describe('a photograph of the face', () => {
  test('that shows a document loses its numbers and codes, and keeps the face', async () => {
    const { specimen, selfie } = await selfieWith('passport of 2011');
    expect(await digitsIn(selfie)).toContain(specimen.bsn.slice(0, 6));
    const masked = await masker.mask({ ...specimen, selfie }, request);
    const copy = Buffer.from(masked.selfie as Uint8Array);
    await expectSameSize(copy, selfie);
    expect(await digitsIn(copy)).not.toContain(specimen.bsn.slice(0, 6));
    expect(await facesIn(copy)).toBeGreaterThan(0);
  });

  test('with a code loses it', async () => {
    const { specimen, selfie } = await selfieWith('card of 2021', 'back');
    expect(await codesIn(selfie)).toContain(specimen.bsn);
    const masked = await masker.mask({ ...specimen, selfie }, request);
    expect(await codesIn(Buffer.from(masked.selfie as Uint8Array))).toEqual([]);
  });

  test('before a wall of writing loses a number that is shorter than the lines of the wall', async () => {
    const wall = Array.from({ length: 110 }, (_, line) => {
      const [x, y] = [line % 2 === 0 ? 20 : 920, 40 + 28 * Math.floor(line / 2)];
      return `<text x="${x}" y="${y}" font-size="22">the quick brown fox jumps over the lazy dog and runs far away</text>`;
    });
    const held = `<text x="700" y="2100" font-size="60">${number}</text>`;
    const [width, height] = [1800, 2400];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`;
    const selfie = await sharp({ create: { width, height, channels: 3, background: '#d3c5b5' } })
      .composite([{ input: Buffer.from(`${svg}${wall.join('')}${held}</svg>`) }])
      .jpeg({ quality: 92 })
      .toBuffer();
    expect(await bareShareOf(selfie, numberAt)).toBeGreaterThan(0.3);
    const covered = await coverSelfie(await opened(selfie), tools);
    expect(covered).toBeDefined();
    expect(await bareShareOf(await jpegOf(covered as Colour), numberAt)).toBe(0);
  });

  test('that shows no document stays as it is', async () => {
    const { specimen, selfie } = await selfieWith(undefined);
    expect((await masker.mask({ ...specimen, selfie }, request)).selfie).toBeNull();
  });
});

test('a document of another state has nothing to cover, and a portrait stays if the policy does not cover it', async () => {
  const { front } = drawn({ format: 'TD3', person: eriksson });
  const masked = await masker.mask(
    { front: await photograph(front), back: null },
    { ...request, coverPortrait: false },
  );
  expect(wordsOf(masked)).toEqual({ bsnDetected: false, inDoubt: false });
  expect(await coveredShare(masked.front)).toBeLessThan(0.1);
});

test('on a document of another state a number on two lines is covered as well', async () => {
  const { front } = drawn({ format: 'TD3', person: eriksson });
  const pieces = [number.slice(0, 5), number.slice(5)];
  for (const [row, piece] of pieces.entries())
    write(front, piece, 560, 690 + 70 * row, { lettering, height: 40, dark: 35 });
  const picture = await photograph(front);
  const before = await digitsIn(picture);
  for (const piece of pieces) expect(before).toContain(piece);
  const masked = await masker.mask({ front: picture, back: null }, { ...request, coverPortrait: false });
  expect(wordsOf(masked)).toEqual({ bsnDetected: true, inDoubt: false });
  const after = await digitsIn(Buffer.from(masked.front));
  for (const piece of pieces) expect(after).not.toContain(piece);
});

describe('there is no copy', () => {
  const couldNot = /^The document could not be masked$/;

  test.each([
    ['of bytes that are no picture', Buffer.from('not a picture')],
    ['of nothing', Buffer.alloc(0)],
  ])('%s', async (_, front) => {
    await expect(masker.mask({ front, back: null }, request)).rejects.toThrow(couldNot);
  });

  test('if the process takes too long', async () => {
    const slow = await documentMasker({ jobMs: 50 });
    const front = await photograph(drawn({ format: 'TD3', person: eriksson }).front);
    await expect(slow.mask({ front, back: null }, request)).rejects.toThrow(couldNot);
    await slow.close();
  });

  test.each([
    ['what came in', ''],
    ['no copies', '{"bsnDetected":true,"inDoubt":false}'],
    ['a fault of its own', '{"bsnDetected":"999990019","inDoubt":false}'],
  ])('if a process that was taken over answers with %s', async (_, answer) => {
    const taken = await documentMasker({ file: new URL('./echo.ts', import.meta.url), given: undefined });
    const front = Buffer.from(answer);
    await expect(taken.mask({ front, back: null }, request)).rejects.toThrow(couldNot);
    await taken.close();
  });

  test('after the masker is closed', async () => {
    const closed = await documentMasker();
    await closed.close();
    await expect(closed.mask({ front: Buffer.alloc(0), back: null }, request)).rejects.toThrow(
      /^The program for masking is closed$/,
    );
  });
});

test('where a portrait is to be covered and none is found, nearly everything is covered, by a process that knows nothing else', async () => {
  const front = await photograph(drawn({ format: 'TD3', person: eriksson }).front);
  const work = masker.mask({ front, back: null }, request);
  const programs = () => programsBelow(process.pid, 'masking/program.ts');
  await expect.poll(() => programs().length).toBe(1);
  const [pid = 0] = programs();
  expect(read(pid, 'environ')).not.toMatch(/PATH|HOME|VITEST/);
  expect(read(pid, 'status')).toMatch(/^NoNewPrivs:\t1$/m);
  const { namespaces } = await findIsolation({ warn: () => undefined });
  expect(link(pid, 'ns/net') !== link(process.pid, 'ns/net')).toBe(namespaces);
  const masked = await work;
  expect(masked).toMatchObject({ bsnDetected: false, inDoubt: false, portrait: null });
  expect(await coveredShare(masked.front)).toBeGreaterThan(0.6);
  await expect.poll(programs).toEqual([]);
});
