import sharp from 'sharp';
import type { Shape } from '../reading/shapes.ts';
import { turnedBack } from '../reading/upright.ts';
import type { Colour } from './colour.ts';
import type { Cells, FaceNetwork } from './face-network.ts';

/** A face in a picture. `up` is the direction from chin to brow, in quarters of a turn clockwise. */
export type Face = { x: number; y: number; width: number; height: number; score: number; quarters: number };

/**
 * The longest sides in pixels at which faces are searched. A small side finds a portrait that fills the picture, and a large one finds
 * the small second portrait of many documents.
 */
const usualSides = [416, 1024] as const;
const step = 32;
/** The lowest score of a face. It is low, since a cover too many does less harm than a face that stays. */
const scoreMin = 0.35;
/** The shapes of faces that the network knows, in cells of its output: width and height. */
const anchors = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const;
const valuesOfAnchor = 5;

/**
 * Finds faces. The surest face comes first. `upright` is the direction of the top of the document, in quarters of a turn. The other
 * directions are searched only if there is no face in this one.
 */
export async function findFaces(picture: Colour, upright: number, network: FaceNetwork): Promise<Face[]> {
  const found: Face[] = [];
  for (const side of usualSides) found.push(...(await facesIn(picture, upright, side, network)));
  for (const turn of [1, 2, 3])
    if (found.length === 0)
      found.push(...(await facesIn(picture, (upright + turn) % 4, usualSides[0], network)));
  return distinct(found);
}

/** A way to search faces: the longest side in pixels to which a picture is reduced, and the lowest score that counts. */
export type Search = { side: number; scoreMin: number };

/**
 * A face that fills a picture is lost at larger sides: it is then larger than those that the detector knows. So it is searched at small sides
 * where the others find none. The score is higher, since in few pixels something else looks like a face sooner (docs/choices/faces.md).
 */
export const largeFaces: readonly Search[] = [224, 128].map((side) => ({ side, scoreMin: 0.7 }));

/** The faces of the first search that finds any. The surest face comes first. */
export async function firstFound(
  picture: Colour,
  quarters: number,
  searches: readonly Search[],
  network: FaceNetwork,
): Promise<Face[]> {
  for (const { side, scoreMin: least } of searches) {
    const faces = await facesIn(picture, quarters, side, network);
    const sure = distinct(faces.filter(({ score }) => score >= least));
    if (sure.length > 0) return sure;
  }
  return [];
}

/** Finds the faces that stand in one direction, in quarters of a turn, on the picture with its longest side reduced to `side`. */
export async function facesIn(
  picture: Colour,
  quarters: number,
  side: number,
  network: FaceNetwork,
): Promise<Face[]> {
  const { planes, width, height } = await turnedPlanes(picture, quarters, side);
  const isLevel = quarters % 2 === 0;
  const [across, down] = isLevel ? [width, height] : [height, width];
  const [wider, higher] = [picture.width / across, picture.height / down];
  return boxesOf(await network(planes, width, height), width, height).map((box) => {
    const [x, y] = turnedBack([box.x, box.y], quarters, across, down);
    const [wide, high] = isLevel ? [box.width, box.height] : [box.height, box.width];
    return {
      ...{ x: x * wider, y: y * higher, width: wide * wider, height: high * higher },
      ...{ score: box.score, quarters },
    };
  });
}

type Box = Omit<Face, 'quarters'>;

/** The boxes of faces in the answer of the network about a picture with these sides. */
export function boxesOf({ values, rows, columns }: Cells, width: number, height: number): Box[] {
  const boxes: Box[] = [];
  const [cellWidth, cellHeight] = [width / columns, height / rows];
  anchors.forEach(([wide, high], anchor) => {
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const at = (part: number) =>
          values[(anchor * valuesOfAnchor + part) * rows * columns + row * columns + column] ?? 0;
        const score = sigmoid(at(4));
        if (score < scoreMin) continue;
        boxes.push({
          x: (column + sigmoid(at(0))) * cellWidth,
          y: (row + sigmoid(at(1))) * cellHeight,
          width: Math.exp(at(2)) * wide * cellWidth,
          height: Math.exp(at(3)) * high * cellHeight,
          score,
        });
      }
  });
  return boxes;
}

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

/** Leaves out what lies within a surer face. The surest face comes first. */
export function distinct(faces: readonly Face[]): Face[] {
  const kept: Face[] = [];
  for (const face of faces.toSorted((a, b) => b.score - a.score))
    if (!kept.some((one) => isWithin(face, one))) kept.push(face);
  return kept;
}

const isWithin = (face: Face, other: Face) =>
  Math.abs(face.x - other.x) < other.width / 2 && Math.abs(face.y - other.y) < other.height / 2;

/** The picture in planes of colours, reduced and turned clockwise by `quarters`. Its sides are multiples of 32. */
async function turnedPlanes({ pixels, width, height }: Colour, quarters: number, side: number) {
  const scale = side / Math.max(width, height);
  const whole = (length: number) => Math.max(step, Math.round((length * scale) / step) * step);
  const reduced = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .resize({ width: whole(width), height: whole(height), fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: wide, height: high } = reduced.info;
  const { data, info } = await sharp(reduced.data, { raw: { width: wide, height: high, channels: 3 } })
    .rotate(90 * quarters)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const count = info.width * info.height;
  const planes = new Float32Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let plane = 0; plane < 3; plane++) planes[plane * count + i] = data[3 * i + plane] ?? 0;
  return { planes, width: info.width, height: info.height };
}

/** How far a photograph reaches beyond the face in it, in widths and heights of the face: at the sides, above and below. */
const reach = { sides: 0.4, above: 0.9, below: 0.6 } as const;

/** The shape of the photograph around a face. */
export function photographOf({ x, y, width, height, quarters }: Face): Shape {
  const margins = [reach.above, reach.sides, reach.below, reach.sides];
  // The top of the face points to another side for every quarter of a turn.
  const at = (side: number) => margins[(side + quarters) % 4] ?? 0;
  const [top, right, bottom, left] = [at(0), at(1), at(2), at(3)];
  const [x0, x1] = [x - width * (0.5 + left), x + width * (0.5 + right)];
  const [y0, y1] = [y - height * (0.5 + top), y + height * (0.5 + bottom)];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}
