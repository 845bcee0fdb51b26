import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { MaskedDocument, MaskingRequest } from '#activities/checks/port.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { link, programsBelow, read } from '#test/integration/pictures/processes.ts';
import { documentMasker } from '#test/support/document-masker.ts';
import {
  bareShareOf,
  codesIn,
  isReadableIn,
  noTesseract,
  textOf,
} from '#test/support/specimens/bsn/judge.ts';
import { bsnSpecimen, type Form, type Kind } from '#test/support/specimens/bsn/specimens.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';

const masker = await documentMasker();
afterAll(() => masker.close());

const request: MaskingRequest = {
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

test('a document without a zone is in doubt', async () => {
  const { masked } = await maskedSpecimen('driving licence', 'plain');
  expect(wordsOf(masked)).toEqual({ bsnDetected: true, inDoubt: true });
  expect(await coveredShare(masked.front)).toBeGreaterThan(0.6);
  expect(await coveredShare(masked.back as Uint8Array)).toBeGreaterThan(0.6);
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
    const taken = await documentMasker({ file: new URL('./echo.ts', import.meta.url) });
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
