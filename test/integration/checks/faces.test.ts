import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { decodedColour } from '#activities/checks/document/masking/colour.ts';
import { openRecaptureNetwork } from '#activities/checks/document/recapture/recapture-network.ts';
import { compareFaces } from '#activities/checks/face/compare.ts';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { judgeFaces, recapturedHint } from '#policy/faces.ts';
import { bsnSpecimen } from '#test/support/specimens/bsn/specimens.ts';
import { randomOf } from '#test/support/specimens/field/kept.ts';
import { closeFace, faces as drawnFaces, noise, wall } from '#test/support/specimens/looks/scenes.ts';
import { kinds } from '#test/support/specimens/recapture/kinds.ts';
import { shotOf } from '#test/support/specimens/recapture/scene.ts';
import { inventedFace } from '#test/support/specimens/with-portrait.ts';

// No real person is on these pictures: one drawn face is the portrait of each specimen.
vi.setConfig({ testTimeout: 180_000 });
const tools = { ...(await loadFaceTools()), recapture: await openRecaptureNetwork() };
const { front: document } = await bsnSpecimen(1);
const selfie = await drawnFaces([700]);

async function compared(front: Buffer, face: Buffer) {
  const [a, b] = await Promise.all([decodedColour(front), decodedColour(face)]);
  if (a === undefined || b === undefined) throw new Error('a picture cannot be opened');
  return compareFaces(a, b, tools);
}
const numbers = { distance: expect.any(Number), recaptured: expect.any(Number) };
const turned = (jpeg: Buffer, degrees: number) =>
  sharp(jpeg).rotate(degrees, { background: '#556' }).jpeg().toBuffer();
const scaled = (jpeg: Buffer, width: number) => sharp(jpeg).resize({ width }).jpeg().toBuffer();

test.each([0, 12, 90, 180, 270])(
  'a portrait on a document that lies turned by %d degrees is compared',
  async (degrees) => {
    const found = await compared(await turned(document, degrees), selfie);
    expect(found).toEqual(numbers);
    if ('distance' in found) expect(judgeFaces(found.distance).result).toBe('passed');
  },
);

test('a face that was compared is the widest one: a small one in the background does not count', async () => {
  expect(await compared(document, await drawnFaces([700, 300]))).toHaveProperty('distance');
});

test.each([0, 90])('a face that fills its picture is compared, turned by %d degrees', async (degrees) => {
  const found = await compared(document, await turned(await closeFace(), degrees));
  expect(found).toEqual(numbers);
  if ('distance' in found) expect(judgeFaces(found.distance).result).toBe('passed');
});

/** A camera before the invented face: before the face itself, or before what shows it. */
async function shot(kind: keyof typeof kinds, index: number): Promise<Buffer> {
  const { data, info } = await sharp(inventedFace)
    .resize({ width: 1000 })
    .flatten({ background: '#b8c0c8' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const face = async () => ({ pixels: data, width: info.width, height: info.height });
  const scene = await kinds[kind]?.(randomOf(5, 0, index), face);
  if (scene === undefined) throw new Error(`There is no kind ${kind}`);
  return shotOf({ ...scene, lines: [], across: 1800 });
}

test.each([
  ['document', false],
  ['print in dots', true],
  ['copy in colour, ink-jet', true],
] as const)(
  'a face before the camera, shown as %s: a hint of a screen or a print is %s',
  async (kind, isHint) => {
    for (const index of [0, 1]) {
      const found = await compared(document, await shot(kind, index));
      expect(found).toEqual(numbers);
      if ('recaptured' in found) expect(found.recaptured > recapturedHint.above).toBe(isHint);
    }
  },
);

test.each([
  ['portrait_not_found', async () => [await wall(), selfie]],
  ['several_portraits', async () => [await drawnFaces([500, 450]), selfie]],
  ['portrait_too_small', async () => [await scaled(document, 250), selfie]],
  ['face_not_found', async () => [document, await wall()]],
  ['face_not_found', async () => [document, await noise()]],
  ['several_faces', async () => [document, await drawnFaces([500, 450])]],
  ['face_too_small', async () => [document, await scaled(await drawnFaces([200]), 800)]],
] as const)('what cannot be compared is named: %s', async (finding, pictures) => {
  const [front = Buffer.alloc(0), face = Buffer.alloc(0)] = await pictures();
  expect(await compared(front, face)).toEqual({ finding });
});
