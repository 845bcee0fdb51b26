import type { FaceFinding } from '#contract/examinations.ts';
import type { Colour } from '../document/masking/colour.ts';
import type { FaceNetwork } from '../document/masking/face-network.ts';
import { boxesOf, distinct, type Face, facesIn, firstFound, largeFaces } from '../document/masking/faces.ts';
import type { RecaptureNetwork } from '../document/recapture/recapture-network.ts';
import type { ComparedFaces } from '../port.ts';
import { chipOf } from './chip.ts';
import { aligned, type Describers, describe, distanceOf } from './describe.ts';

export type FaceTools = Describers & { detector: FaceNetwork };

/**
 * Compares the portrait on a document with the picture of a face, and says how much the latter looks like a picture of a picture. The
 * descriptions of both faces are forgotten with the program: only these two numbers leave it.
 */
export async function compareFaces(
  document: Colour,
  selfie: Colour,
  tools: FaceTools & { recapture: RecaptureNetwork },
): Promise<ComparedFaces> {
  const portrait = await portraitOn(document, tools);
  if (typeof portrait === 'string') return { finding: portrait };
  const face = chosen(await uprightFaces(selfie, tools), faceRules);
  if (typeof face === 'string') return { finding: face };
  const [a, b] = [await describe(document, portrait, tools), await describe(selfie, face, tools)];
  return { distance: distanceOf(a, b), recaptured: await recapturedShare(selfie, face, tools.recapture) };
}

/**
 * How probably a picture of a face shows a screen, a print or a copy, from 0 to 1. It looks at the face alone, since cloth, hair and walls
 * have patterns of their own. 0 if the picture is too small for the network.
 */
export async function recapturedShare(
  picture: Colour,
  face: Face,
  recapture: RecaptureNetwork,
): Promise<number> {
  const [wide, high] = [face.width / 2, face.height / 2];
  const area = { left: face.x - wide, top: face.y - high, right: face.x + wide, bottom: face.y + high };
  const isOn = (x: number, y: number) => Math.abs(x - face.x) <= wide && Math.abs(y - face.y) <= high;
  return (await recapture(picture, area, isOn)) ?? 0;
}

/** The portrait of a document, or why there is none that can be compared. */
export const portraitOn = async (document: Colour, tools: FaceTools): Promise<Face | FaceFinding> =>
  chosen(await uprightFaces(document, tools), portraitRules);

type Rules = { widthMin: number; none: FaceFinding; several: FaceFinding; small: FaceFinding };

/** The least widths are in pixels of the picture. The recogniser looks at 150 pixels. */
const portraitRules: Rules = {
  ...{ widthMin: 48, none: 'portrait_not_found', several: 'several_portraits', small: 'portrait_too_small' },
};
const faceRules: Rules = {
  ...{ widthMin: 96, none: 'face_not_found', several: 'several_faces', small: 'face_too_small' },
};

/**
 * A smaller face does not count, as a share of the width of the largest one: it stands in the background, or is the second portrait that
 * many documents have.
 */
const besideMin = 0.6;

function chosen(faces: readonly Face[], { widthMin, none, several, small }: Rules): Face | FaceFinding {
  const [widest, next] = byWidth(faces);
  if (widest === undefined) return none;
  if (next !== undefined && next.width >= besideMin * widest.width) return several;
  return widest.width < widthMin ? small : widest;
}

/** The longest sides in pixels at which faces are searched. */
const sides = [416, 1024] as const;
/** The lowest score of a face. It is higher than that of the masking, since a face that is none would be compared. */
const scoreMin = 0.5;

/**
 * Finds the faces of a picture that may lie on any of its sides. Only where there is none, a large one is searched, so that it changes
 * nothing about any other picture.
 */
export async function uprightFaces(
  picture: Colour,
  tools: Pick<FaceTools, 'detector' | 'landmarks'>,
): Promise<Face[]> {
  const { detector } = tools;
  const found = await surest(picture, tools, (quarters) => facesOf(picture, quarters, detector));
  if (found.length > 0) return found;
  return surest(picture, tools, (quarters) => firstFound(picture, quarters, largeFaces, detector));
}

/**
 * The faces of one direction. The detector also finds lying faces, though less surely. So in each direction the widest face is set upright
 * by its eyes and looked at again, and the direction with the surest face counts.
 */
async function surest(
  picture: Colour,
  tools: Pick<FaceTools, 'detector' | 'landmarks'>,
  facesAt: (quarters: number) => Promise<Face[]>,
): Promise<Face[]> {
  let best: Face[] = [];
  let bestScore = 0;
  for (const quarters of [0, 1, 2, 3]) {
    const faces = await facesAt(quarters);
    const [widest] = byWidth(faces);
    const score = widest === undefined ? 0 : await uprightScore(picture, widest, tools);
    if (score > bestScore) [best, bestScore] = [faces, score];
    if (bestScore >= clear) break;
  }
  return best;
}

/** With such a score, a face stands upright. The other directions are then not searched. */
const clear = 0.9;

async function facesOf(picture: Colour, quarters: number, detector: FaceNetwork): Promise<Face[]> {
  const found: Face[] = [];
  for (const side of sides) found.push(...(await facesIn(picture, quarters, side, detector)));
  return distinct(found.filter(({ score }) => score >= scoreMin));
}

/** How much of the surroundings is drawn beside a face, as a factor, and the side of that drawing in pixels. */
const surroundings = 2;
const drawnSide = 224;

/** The score that the detector gives the face once it is set upright. */
async function uprightScore(
  picture: Colour,
  face: Face,
  { detector, landmarks }: Pick<FaceTools, 'detector' | 'landmarks'>,
): Promise<number> {
  const square = await aligned(picture, face, { landmarks });
  const planes = await chipOf(picture, { ...square, side: square.side * surroundings }, drawnSide);
  const boxes = boxesOf(await detector(planes, drawnSide, drawnSide), drawnSide, drawnSide);
  return Math.max(0, ...boxes.map(({ score }) => score));
}

const byWidth = (faces: readonly Face[]): Face[] => faces.toSorted((a, b) => b.width - a.width);
