import sharp from 'sharp';
import { expect, test } from 'vitest';
import { type Colour, decodedColour } from '#activities/checks/document/masking/colour.ts';
import type { Grey } from '#activities/checks/document/reading/grey.ts';
import { mayBeRecaptured, shareMax } from '#activities/checks/document/recapture/recapture.ts';
import { openRecaptureNetwork } from '#activities/checks/document/recapture/recapture-network.ts';
import { randomOf } from '#test/support/specimens/field/kept.ts';
import { pagesOf } from '#test/support/specimens/recapture/draw.ts';
import { kindNames, kinds } from '#test/support/specimens/recapture/kinds.ts';
import { placeOf, shotOf } from '#test/support/specimens/recapture/scene.ts';

const network = await openRecaptureNetwork();
const seed = 41;
const everywhere = () => true;
const whole = ({ width, height }: { width: number; height: number }) => ({
  left: 0,
  top: 0,
  right: width,
  bottom: height,
});

/** A part of a picture that lies on the document, saved as the camera page and the product save it. */
async function taken(kind: string, index: number): Promise<Colour> {
  const scene = await kinds[kind]?.(randomOf(seed, kindNames.indexOf(kind), index), pagesOf(seed));
  if (scene === undefined) throw new Error(`There is no kind ${kind}`);
  const { area } = placeOf(scene);
  const [left, top] = [area.left, area.top].map((edge) => 2 * Math.ceil(edge / 2)) as [number, number];
  const part = { left: left + 60, top: top + 60, width: 640, height: 420 };
  const upload = await sharp(await shotOf(scene, part))
    .jpeg({ quality: 92 })
    .toBuffer();
  const colour = await decodedColour(await sharp(upload).jpeg({ quality: 88 }).toBuffer());
  if (colour === undefined) throw new Error('no picture');
  return colour;
}

test.each([
  ['document', 0, false],
  ['document', 1, false],
  ['screen of a computer, sharp', 0, true],
  ['print in dots', 2, true],
  ['copy in colour, ink-jet', 1, true],
])('%s %s: in doubt is %s', async (kind, index, isInDoubt) => {
  const picture = await taken(kind, index);
  const share = await network(picture, whole(picture), everywhere);
  expect(share).toBeGreaterThan(0);
  expect((share ?? Number.NaN) > shareMax).toBe(isInDoubt);
});

test('what lies beside the document does not count, and a picture that is too small says nothing', async () => {
  const [page, print] = [await taken('document', 0), await taken('print in dots', 2)];
  const both = { pixels: Buffer.concat([page.pixels, print.pixels]), width: page.width, height: 840 };
  const ofPage = await network(both, whole(both), (_, y) => y <= page.height);
  expect(ofPage).toBeLessThan(shareMax);
  expect(await network(both, whole(both), everywhere)).not.toBe(ofPage);
  const small = { pixels: Buffer.alloc(3 * 200 * 300), width: 200, height: 300 };
  expect(await network(small, whole(small), everywhere)).toBeUndefined();
});

const [width, height] = [900, 700];
const area = { left: 0, top: 0, right: width, bottom: height };
const grey: Grey = { pixels: new Uint8Array(width * height), width, height };

/** A small copy in colour, by the red and the blue of its places. */
function inColours(red: (x: number, y: number) => number, blue: (x: number, y: number) => number) {
  const pixels = new Uint8Array(3 * 90 * 70);
  for (let y = 0; y < 70; y++)
    for (let x = 0; x < 90; x++) pixels.set([red(x, y), 180, blue(x, y)], 3 * (y * 90 + x));
  return { grey, colour: undefined, colours: { pixels, width: 90, height: 70, scale: 0.1 } };
}

const inDoubt = (red: (x: number, y: number) => number, isOn: (x: number) => boolean = everywhere) =>
  mayBeRecaptured(
    inColours(red, () => 175),
    area,
    isOn,
    network,
  );

const varied = (x: number, y: number) => 180 + 15 * Math.sin(x / 8 + y / 11);

test('paper without colour is a copy, in white light, in warm light and beside a lamp', async () => {
  for (const red of [() => 180, () => 205, (x: number) => 170 + x / 3]) expect(await inDoubt(red)).toBe(true);
  expect(await inDoubt(varied)).toBe(false);
});

test('a small spot of colour makes no document of a copy, and neither does a table beside it', async () => {
  expect(await inDoubt((x, y) => (x < 12 && y < 8 ? 240 : 180))).toBe(true);
  const table = (x: number, y: number) => (x < 45 ? varied(x, y) : 180);
  expect(await inDoubt(table, (x) => x >= 460)).toBe(true);
  expect(await inDoubt(table)).toBe(false);
});
