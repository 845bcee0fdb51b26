import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import type { Colour } from '#activities/checks/document/masking/colour.ts';
import type { Printed } from './specimens.ts';

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** The grey value that no cover has, not even under the letters of the watermark, which make it 130. Paper is about 200. */
const lighterThanCover = 160;

/** The share of these pixels that no cover can be under. It is 0 if all are covered, and about half if nothing is. */
export async function bareShareOf(picture: Uint8Array, { has }: Pick<Printed, 'has'>): Promise<number> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const values = data.filter((_, index) => has(index % info.width, Math.floor(index / info.width)));
  return values.filter((value) => value > lighterThanCover).length / values.length;
}

/** The share of these pixels that differ between two pictures of the same size. */
export function changedShareOf(before: Colour, after: Colour, { has }: Pick<Printed, 'has'>): number {
  let [all, changed] = [0, 0];
  for (let y = 0; y < before.height; y++)
    for (let x = 0; x < before.width; x++) {
      if (!has(x, y)) continue;
      const at = 3 * (y * before.width + x);
      all += 1;
      if (before.pixels.compare(after.pixels, at, at + 3, at, at + 3) !== 0) changed += 1;
    }
  return changed / all;
}

/** Why the tests with the other reader are skipped. Undefined if it is there. */
export const noTesseract = async (): Promise<string | undefined> =>
  (await hasTesseract()) ? undefined : 'needs the command tesseract of the package tesseract-ocr';

/** A reader that the product does not use: Tesseract, as the command of the package tesseract-ocr. */
export async function hasTesseract(): Promise<boolean> {
  return promisify(execFile)('tesseract', ['--version']).then(
    () => true,
    () => false,
  );
}

/** The text that Tesseract reads in a picture after it was turned back by the angle at which it was taken. */
export async function textOf(picture: Buffer, degrees: number): Promise<string> {
  const upright = await sharp(
    await sharp(picture).rotate(-degrees, { background: '#808080' }).png().toBuffer(),
  )
    .resize({ width: 2000 })
    .greyscale()
    .normalise()
    .png()
    .toBuffer();
  const run = promisify(execFile)('tesseract', ['-', '-', '--psm', '11', '--dpi', '300'], {
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    maxBuffer: 10_000_000,
  });
  run.child.stdin?.on('error', () => undefined);
  run.child.stdin?.end(upright);
  return (await run).stdout;
}

/** The number of digits in a row from which a part of a BSN counts as readable. */
const partMin = 6;
const alike: Record<string, string> = {
  O: '0',
  o: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  '|': '1',
  Z: '2',
  S: '5',
  s: '5',
  B: '8',
  g: '9',
  q: '9',
};

/** True if a text has six digits of a BSN in a row, whatever stands between them. Letters that look like digits count as digits. */
export function isReadableIn(text: string, bsn: string): boolean {
  const digits = Array.from(text, (sign) => alike[sign] ?? sign)
    .join('')
    .replaceAll(/[^0-9A-Za-z]/g, '');
  return Array.from({ length: bsn.length - partMin + 1 }, (_, start) =>
    bsn.slice(start, start + partMin),
  ).some((part) => digits.includes(part));
}

/** What the decoder of barcodes reads in a picture, in two sizes. */
export async function codesIn(picture: Buffer): Promise<string[]> {
  const results: ReadResult[] = [];
  for (const width of [1600, 900]) {
    const { data, info } = await sharp(picture)
      .resize({ width })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const image = { data: new Uint8ClampedArray(data), width: info.width, height: info.height } as ImageData;
    results.push(...(await readBarcodes(image, { tryHarder: true, tryRotate: true })));
  }
  return results.filter(({ isValid }) => isValid).map(({ text }) => text);
}
