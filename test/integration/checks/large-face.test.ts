import sharp from 'sharp';
import { expect, test } from 'vitest';
import { decodedColour } from '#activities/checks/document/masking/colour.ts';
import { lookAtFace } from '#activities/checks/document/quick/look.ts';
import { uprightFaces } from '#activities/checks/face/compare.ts';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import type { LookResult } from '#contract/enums.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { closeFace, faces, wall } from '#test/support/specimens/looks/scenes.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';

// No real person is on these pictures: the face is drawn.
const tools = await loadFaceTools();
const { detector, landmarks } = tools;
const turned = async (jpeg: Buffer) => sharp(jpeg).rotate(90).jpeg().toBuffer();
const { back, front } = drawn({ format: 'TD1', person: eriksson });
const cardBack = () => photograph(back ?? front);

test.each<[what: string, count: number, found: LookResult, make: () => Promise<Buffer>]>([
  ['a face that fills the picture', 1, 'fine', closeFace],
  ['the same in a picture that lies', 1, 'fine', async () => turned(await closeFace())],
  ['a face with a wall around it', 1, 'fine', () => faces([500])],
  ['two faces', 2, 'several_faces', () => faces([500, 450])],
  ['a wall', 0, 'no_face', wall],
  ['the back of a card', 0, 'no_face', cardBack],
])('the advice to a person and the comparison find the same faces: %s', async (_, count, found, make) => {
  const picture = await decodedColour(await make());
  if (picture === undefined) throw new Error('the picture cannot be opened');
  expect(await uprightFaces(picture, tools)).toHaveLength(count);
  expect(await lookAtFace(picture, { faces: detector, landmarks })).toBe(found);
});
