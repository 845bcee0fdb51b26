import { outside, turned } from '../examine.ts';
import { withoutAccents } from '../judging/labels.ts';
import type { Line } from '../reading/grey.ts';
import { type Point, type Shape, shapeOf } from '../reading/shapes.ts';
import { locateUpright } from '../reading/upright.ts';
import { type Code, findBusyAreas, findCodes } from './codes.ts';
import { type Colour, covered, coveredBut, greyOf, restored } from './colour.ts';
import { photographOf } from './faces.ts';
import { locateSmallLines, type ReadLine, readLines } from './look.ts';
import { hasPrint } from './portrait.ts';
import type { MaskingTools, SeenDocument, SeenSide } from './seen.ts';
import { bsnsBeside, mayStayForReview, maySurelyStay, saysKnown } from './staying.ts';
import { type ZoneFacts, zoneShapes } from './zone-facts.ts';

/** What is covered on one side of a document. */
export type Covers = {
  mayStay(line: ReadLine): boolean;
  mayCodeStay(code: Code): boolean;
  /** The places that are covered because of what a line says, whatever is read there. */
  besideLine(line: ReadLine): readonly Shape[];
  /** Covered whatever is read there. */
  always: readonly Shape[];
  /** Values that are never covered, whatever is covered around them. */
  values: readonly Shape[];
  /** Covered on the copy, and kept beside it. */
  photographs: readonly Shape[];
  /** What the cover of a photograph does not take: it is a guess. */
  besidePhotographs: readonly Shape[];
  /** Shapes that look like a code and are none. */
  plain: readonly Shape[];
  /** True if areas that look like a code are covered. */
  busyAreas: boolean;
  /** If there are shapes, everything but them is covered first. */
  allBut: readonly Shape[] | undefined;
};

/** The margins around a line that is covered, and around one that stays, as shares of its height. */
const coverMargins = [1.5, 0.35] as const;
const stayMargins = [0.2, 0.05] as const;

const staysAt = ({ line }: ReadLine): Shape => shapeOf(line, ...stayMargins);
const goesAt = ({ line }: ReadLine): Shape => shapeOf(line, ...coverMargins);

/** The covers of a copy for a file: whatever may be a part of a BSN, and the photograph if that is wanted. */
export function keptCovers(
  side: SeenSide,
  facts: ZoneFacts | undefined,
  { coverPortrait, coverAll }: { coverPortrait: boolean; coverAll: boolean },
): Covers {
  const zone = zoneShapes(side.rows);
  const photographs = coverPortrait ? side.faces.map(photographOf) : [];
  const staying = side.read.filter((line) => maySurelyStay(line, facts)).map(staysAt);
  return {
    mayStay: (line) =>
      isForeign(facts)
        ? hasNoBsn(line, side, facts)
        : maySurelyStay(line, facts) && !side.numbers.includes(line),
    mayCodeStay: () => false,
    besideLine: () => [],
    always: zone.optional,
    values: [],
    photographs,
    besidePhotographs: staying.filter(
      (line) => !photographs.some((photograph) => isMiddleWithin(line, photograph)),
    ),
    // A face can look as busy as a code.
    plain: [...staying, ...zone.rest, ...zone.optional, ...photographs],
    busyAreas: !isForeign(facts),
    allBut: coverAll ? (facts === undefined ? staying : [...staying, ...zone.rest]) : undefined,
  };
}

const hasNoBsn = (line: ReadLine, { numbers }: SeenSide, facts: ZoneFacts): boolean =>
  !numbers.includes(line) && bsnsBeside(line.text, facts).length === 0;

const isForeign = (facts: ZoneFacts | undefined): facts is ZoneFacts => facts !== undefined && !facts.isDutch;

/**
 * The covers of a copy for the member who decides: only what is or may be a BSN. In doubt these places are covered all the same, and the rest
 * stays, since somebody has to judge the document by it. Names, dates, number and photograph are never covered.
 */
export function reviewCovers(side: SeenSide, { facts, known }: SeenDocument): Covers {
  const zone = zoneShapes(side.rows, facts === undefined);
  const photographs = side.faces.filter((face) => !hasPrint(face, side.read)).map(photographOf);
  const isOnPhotograph = (line: ReadLine) =>
    photographs.some((photograph) => isMiddleWithin(staysAt(line), photograph));
  const mayStay = (line: ReadLine) =>
    isForeign(facts) ? hasNoBsn(line, side, facts) : mayStayForReview(line, known, isOnPhotograph(line));
  const staying = side.read.filter(mayStay);
  return {
    mayStay,
    mayCodeStay: ({ text }) => text !== '' && !eightDigits.test(text),
    besideLine: (line) => (isForeign(facts) ? [] : besideLabel(line, side.direction)),
    always: zone.optional,
    values: staying.filter(({ text }) => saysKnown(text, known)).map(staysAt),
    photographs: [],
    besidePhotographs: [],
    plain: [...staying.map(staysAt), ...zone.rest, ...zone.optional, ...photographs],
    busyAreas: !isForeign(facts),
    allBut: undefined,
  };
}

/** So many digits in a row, with a sign between two of them at most, may be a BSN that lost one. */
const eightDigits = /\d(?:[\s.\-/]?\d){7}/;

/** The names of the BSN on Dutch documents, and its name before 2007. */
const label = /\bBSN\b|BURGERSERVICE|SERVICENUMMER|\bSOFI|PERSOONSNUMMER|PERSOONLIJK NUMMER|PERSONAL N/;

/** How wide and high the places of a number are that belongs to a label, in heights of the label: behind it, and below. */
const labelled = { wide: 14, high: 2.7 } as const;

/** The places behind and below a label of the BSN. They are covered whether or not something was read there. */
function besideLabel({ line, text }: ReadLine, direction: number): Shape[] {
  if (!label.test(withoutAccents(text))) return [];
  const upright = turned(line, direction);
  const { length, height } = upright;
  const [wide, high] = [labelled.wide * height, labelled.high * height];
  // The place below begins half a height before the label.
  return [
    shapeOf({ ...moved(upright, (length + wide) / 2, 0), length: wide }, 0, 0),
    shapeOf(
      {
        ...moved(upright, (wide - length) / 2 - height / 4, (height + high) / 2),
        ...{ length: wide + height / 2, height: high },
      },
      0,
      0,
    ),
  ];
}

/** The line, so many pixels further along its direction and down from it. */
const moved = (line: Line, along: number, down: number): Line => {
  const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
  return { ...line, x: line.x + along * cos - down * sin, y: line.y + along * sin + down * cos };
};

/** A copy, and the same with its photographs. Both lack the same text and codes. */
type CoveredSide = { copy: Colour; withPhotographs: Colour };

export async function coveredSide(
  side: SeenSide,
  covers: Covers,
  { models }: MaskingTools,
): Promise<CoveredSide> {
  const { mayStay, mayCodeStay, photographs, allBut } = covers;
  const codeShapes = (codes: readonly Code[]) =>
    codes.filter((code) => !mayCodeStay(code)).map(({ shape }) => shape);
  const codes = codeShapes(side.codes);
  // A code and its cover look like lines that cannot be read. There are no more digits at the ends of such a line, so it needs no margins.
  const hiddenAt = (lines: readonly ReadLine[]) =>
    lines
      .filter((line) => !mayStay(line))
      .map((read) =>
        codes.some((code) => isMiddleWithin(goesAt(read), code)) ? shapeOf(read.line, 0, 0) : goesAt(read),
      );
  const harmful = [
    ...covers.always,
    ...side.read.flatMap(covers.besideLine),
    ...hiddenAt(side.read),
    ...codes,
  ];
  const once = covered(allBut === undefined ? side.colour : coveredBut(side.colour, allBut), harmful);
  const copyOf = (picture: Colour) =>
    restored(covered(picture, photographs), picture, covers.besidePhotographs);
  if (allBut !== undefined) return { copy: copyOf(once), withPhotographs: once };
  // What is left is searched again, with larger letters. What was hidden beside or below may now be found. The photographs are searched
  // too, since a number may stand on or below one.
  const grey = greyOf(once);
  const kept = side.read.filter(mayStay).map(({ line }) => line);
  const small = await locateUpright(grey, side.direction, (upright) => locateSmallLines(upright, models));
  const fresh = outside(small, side.rows).filter((line) => !kept.some((one) => isWithin(line, one)));
  const more = await readLines(grey, fresh, side.direction, models);
  const found = covered(once, [
    ...more.flatMap(covers.besideLine),
    ...hiddenAt(more),
    ...codeShapes(await findCodes(grey)),
    ...(covers.busyAreas ? findBusyAreas(grey, covers.plain) : []),
  ]);
  const withPhotographs = restored(found, side.colour, covers.values);
  return { copy: copyOf(withPhotographs), withPhotographs };
}

/** True if the middle of a shape is within another one: it lies on the same side of all its edges. */
function isMiddleWithin(shape: Shape, other: Shape): boolean {
  const middle = (axis: 0 | 1) => shape.reduce((sum, point) => sum + point[axis], 0) / shape.length;
  const [x, y] = [middle(0), middle(1)];
  const sides = other.map(([fromX, fromY], index) => {
    const [toX, toY] = other[(index + 1) % other.length] as Point;
    return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
  });
  return sides.every((side) => side > 0) || sides.every((side) => side < 0);
}

/** True if the middle of a line is on another line that is at least about as high. */
function isWithin(line: Line, other: Line): boolean {
  const [right, down] = [line.x - other.x, line.y - other.y];
  const [cos, sin] = [Math.cos(other.angle), Math.sin(other.angle)];
  return (
    Math.abs(right * cos + down * sin) < other.length / 2 &&
    Math.abs(down * cos - right * sin) < other.height / 2
  );
}
