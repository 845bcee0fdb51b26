import { outside } from '../examine.ts';
import type { Line } from '../reading/grey.ts';
import { shapeOf } from '../reading/shapes.ts';
import { locateLines } from '../reading/text-lines.ts';
import { findZone } from '../reading/zone.ts';
import { bsnsIn, mayHoldDigits } from './bsn.ts';
import { findCodes } from './codes.ts';
import { type Colour, covered, greyOf } from './colour.ts';
import { type Face, findFaces } from './faces.ts';
import { directionOf, linesMax, locateSmallLines, type ReadLine, readLines } from './look.ts';
import type { MaskingTools } from './seen.ts';
import { zoneShapes } from './zone-facts.ts';

/** The margins around a line that is covered, as shares of its height. */
const margins = [1.5, 0.35] as const;
/** A line that is read with a lower certainty counts as unreadable. */
const certaintyMin = 0.8;

/**
 * Covers the numbers of a document that a person holds before the camera: its zone, its codes, and each line with a number. If there is
 * any of it, or more writing than is read, lines that may have a digit or that cannot be read are covered as well, but not on a face:
 * hair and eyes can look like writing. Returns undefined if there is nothing to cover.
 */
export async function coverSelfie(colour: Colour, tools: MaskingTools): Promise<Colour | undefined> {
  const picture = greyOf(colour);
  const located = await locateLines(picture, tools.models);
  const rows = (await findZone(picture, located, tools.models.zone)) ?? [];
  const zone = zoneShapes(rows);
  const codes = await findCodes(picture);
  const first = outside(located, rows);
  const small = outside(await locateSmallLines(picture, tools.models), rows).filter(
    (line) => !first.some((other) => isSame(line, other)),
  );
  const lines = [...first, ...small];
  const direction = rows[0]?.line.angle ?? (await directionOf(picture, lines, tools.models));
  const read = await readLines(picture, lines, direction, tools.models);
  const shapes = [...zone.optional, ...zone.rest, ...codes.map(({ shape }) => shape)];
  // Of more lines than are read, nobody knows whether one has a number.
  if (shapes.length === 0 && read.length <= linesMax && !read.some(hasNumber)) return undefined;
  const faces = await findFaces(colour, 0, tools.faces);
  const goes = (line: ReadLine) =>
    hasNumber(line) || (mayHaveNumber(line) && !faces.some((face) => isOn(line.line, face)));
  return covered(colour, [...shapes, ...read.filter(goes).map(({ line }) => shapeOf(line, ...margins))]);
}

/** Four digits, with a sign between two of them at most. */
const fourDigits = /\d(?:\D?\d){3}/;

const hasNumber = ({ text }: ReadLine): boolean => fourDigits.test(text) || bsnsIn(text).length > 0;

const mayHaveNumber = ({ text, certainty }: ReadLine): boolean =>
  certainty < certaintyMin || mayHoldDigits(text);

const isOn = ({ x, y }: Line, face: Face): boolean =>
  Math.abs(x - face.x) < face.width / 2 && Math.abs(y - face.y) < face.height / 2;

/** True if two searches found the same line. */
const isSame = (line: Line, other: Line): boolean =>
  Math.hypot(line.x - other.x, line.y - other.y) < other.height / 2 && line.length < 1.2 * other.length;
