import type { MeasuredFrame } from '#contract/movements.ts';
import type { Colour } from '../document/masking/colour.ts';
import { firstFound, type Search } from '../document/masking/faces.ts';
import type { Point } from '../document/reading/shapes.ts';
import { type FaceTools, uprightFaces } from '../face/compare.ts';
import { describeAt, distanceOf, pointsOf } from '../face/describe.ts';
import { heldBy } from './pose.ts';
import { repeatedOf, type Small, smallOf } from './repeats.ts';

/**
 * Measures frames in the order in which they were taken. A frame that cannot be opened has no face: one that was broken on its way should not
 * cost a person the whole examination, and nobody gains by it, since frames without a face can only lead to doubt.
 */
export async function measureFrames(
  selfie: Colour | undefined,
  frames: readonly (() => Promise<Colour | undefined>)[],
  tools: FaceTools,
): Promise<MeasuredFrame[]> {
  const ofSelfie = selfie && (await descriptionOf(selfie, tools));
  let ofFirst: Float32Array | undefined;
  const measured: Omit<MeasuredFrame, 'repeated'>[] = [];
  const small: (Small | undefined)[] = [];
  for (const open of frames) {
    const picture = await open();
    small.push(picture && (await smallOf(picture)));
    const found = picture && (await foundIn(picture, tools));
    if (picture === undefined || found === undefined) {
      measured.push(nobody);
      continue;
    }
    const description = await describeAt(picture, found.points, tools);
    ofFirst ??= description;
    measured.push({
      ...placeIn(picture, found),
      fromFirst: distanceOf(ofFirst, description),
      fromSelfie: ofSelfie ? distanceOf(ofSelfie, description) : null,
    });
  }
  const repeated = repeatedOf(small);
  return measured.map((frame, index) => ({ ...frame, repeated: repeated[index] ?? false }));
}

const nobody = {
  faces: 0,
  width: 0,
  x: 0,
  y: 0,
  turn: 0,
  lift: 0,
  fromFirst: null,
  fromSelfie: null,
} as const;

/** The lowest score of a face. It is lower than that of the comparison, since a face that turns is found less surely. */
const scoreMin = 0.4;
/** Each further side is for a face that those before it lose. */
const searches: readonly Search[] = [224, 160, 416].map((side) => ({ side, scoreMin }));
/** A smaller face stands in the background, as a share of the width of the widest one. */
const besideMin = 0.6;

type Found = { points: readonly Point[]; faces: number };

async function foundIn(picture: Colour, tools: FaceTools): Promise<Found | undefined> {
  const faces = await firstFound(picture, 0, searches, tools.detector);
  const [widest] = faces.toSorted((a, b) => b.width - a.width);
  if (widest === undefined) return undefined;
  const beside = faces.filter(({ width }) => width >= besideMin * widest.width);
  return { points: await pointsOf(picture, widest, tools), faces: beside.length };
}

/** Where a face is in its frame, and how it is held. */
function placeIn({ width }: Colour, { points, faces }: Found) {
  const { turn, lift, size } = heldBy(points);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2 / width;
  return { faces, width: size / width, x: middle(xs), y: middle(ys), turn, lift };
}

/** The description of the only face of a picture, or of the widest one. */
async function descriptionOf(picture: Colour, tools: FaceTools): Promise<Float32Array | undefined> {
  const [widest] = (await uprightFaces(picture, tools)).toSorted((a, b) => b.width - a.width);
  return widest && describeAt(picture, await pointsOf(picture, widest, tools), tools);
}
