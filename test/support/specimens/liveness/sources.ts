import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { type Colour, decodedColour } from '#activities/checks/document/masking/colour.ts';
import { facesIn } from '#activities/checks/document/masking/faces.ts';
import type { FaceTools } from '#activities/checks/face/compare.ts';
import { demonstrationPhotographs } from '../faces/demonstration.ts';
import { inventedFace } from '../with-portrait.ts';
import { type Portrait, portraitsOf } from './head.ts';
import { framesOf } from './recording.ts';

/** A face that looks ahead, and another one that is of a different person for certain. */
export type Source = { name: string; portrait: Portrait; other: Portrait };

/** The two drawn faces. They belong to nobody. */
export async function drawnSource(tools: FaceTools): Promise<Source> {
  const [portrait, other] = [
    await drawnPortrait(inventedFace, tools),
    await drawnPortrait(secondFace, tools),
  ];
  return { name: 'a drawn face', portrait, other };
}

/** The drawn face of another person: bald, with darker skin, a beard and other eyes. */
const secondFace = Buffer.from(
  [
    ['#f0c9a8', '#a8754f'],
    ['#d9a27e', '#8a5a3a'],
    ['#a87352', '#5e3a24'],
    ['url(#hair)', 'none'],
    ['cx="134"', 'cx="129"'],
    ['cx="216"', 'cx="221"'],
    ['rx="95" ry="130"', 'rx="104" ry="128"'],
    ['stroke-width="9"', 'stroke-width="16"'],
    ['rx="40" ry="9" fill="#8d5d40"', 'rx="70" ry="34" fill="#1c120c"'],
  ].reduce((svg, [from = '', to = '']) => svg.replaceAll(from, to), String(inventedFace)),
);

async function drawnPortrait(svg: Buffer, tools: FaceTools): Promise<Portrait> {
  const png = await sharp(svg).resize({ width: 700 }).flatten().png().toBuffer();
  const [portrait] = await portraitsOf(await opened(png), tools);
  if (portrait === undefined) throw new Error('No face is found on the drawing');
  return portrait;
}

async function opened(bytes: Buffer): Promise<Colour> {
  const picture = await decodedColour(bytes);
  if (picture === undefined) throw new Error('A picture cannot be opened');
  return picture;
}

/**
 * The faces that look ahead on the photographs that @vladmandic/face-api has for its demonstration. Two faces on one photograph are of
 * different people.
 */
export async function photographed(tools: FaceTools): Promise<Source[]> {
  const sources: Source[] = [];
  for (const file of await demonstrationPhotographs()) {
    const portraits = await portraitsIn(file, tools);
    for (const [index, portrait] of portraits.entries()) {
      const other = portraits.find((each) => each !== portrait);
      if (other !== undefined && (await looksAhead(portrait, tools)))
        sources.push({ name: `${basename(file)} ${index + 1}`, portrait, other });
    }
  }
  return sources;
}

/** The faces that look ahead on the pictures of a folder. No person may be on two of them. The other face of each is the next one. */
export async function picturedIn(folder: string, tools: FaceTools): Promise<Source[]> {
  const found: Omit<Source, 'other'>[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const portraits = await portraitsIn(join(folder, name), tools, [224, 416, 1024]);
    for (const [index, portrait] of portraits.entries())
      if (await looksAhead(portrait, tools)) found.push({ name: `${name} ${index + 1}`, portrait });
  }
  return found.map((face, index) => {
    const other = found[(index + 1) % found.length]?.portrait;
    if (other === undefined || other === face.portrait) throw new Error('There is only one face');
    return { ...face, other };
  });
}

const portraitsIn = async (file: string, tools: FaceTools, sides?: readonly number[]): Promise<Portrait[]> =>
  portraitsOf(await opened(await readFile(file)), tools, sides);

/** Whether a face looks ahead, and is found surely. */
const looksAhead = async (portrait: Portrait, tools: FaceTools): Promise<boolean> =>
  Math.abs(portrait.turn) < aheadMax && (await isClear(portrait, tools));

/** A face that is turned further in its photograph does not look ahead, in degrees. */
const aheadMax = 10;

/** Whether the face is found surely. Of one that looks down with hair before an eye, the points are not where they should be. */
async function isClear(portrait: Portrait, tools: FaceTools): Promise<boolean> {
  const [frame] = await framesOf(portrait, { movements: [] }, { seed: 1 });
  const picture = frame && (await opened(frame.jpeg));
  const faces = picture ? await facesIn(picture, 0, 224, tools.detector) : [];
  return faces.some(({ score }) => score >= scoreMin);
}
const scoreMin = 0.6;
