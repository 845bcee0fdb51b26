import type { Tools } from '../examine.ts';
import type { Grey, Line } from '../reading/grey.ts';
import { zoneReadings } from '../reading/recogniser.ts';
import type { Row } from '../reading/row.ts';
import { locateLines } from '../reading/text-lines.ts';
import { findZoneOn } from '../reading/zone.ts';
import { bsnsIn } from './bsn.ts';
import { type Code, findBusyAreas, findCodes } from './codes.ts';
import { type Colour, covered, coveredBut, greyOf, jpegOf, restored, type Shape, shapeOf } from './colour.ts';
import type { FaceNetwork } from './face-network.ts';
import { type Face, findFaces, photographOf } from './faces.ts';
import { directionOf, locateSmallLines, outside, type ReadLine, readLines } from './look.ts';
import { cutOut } from './portrait.ts';
import { bsnsBeside, isPiece, maySurelyStay } from './staying.ts';
import { type Watermark, watermarked } from './watermark.ts';
import { type ZoneFacts, zoneFacts, zoneShapes } from './zone-facts.ts';

export type MaskingTools = Tools & { faces: FaceNetwork };

export type MaskingRequest = Watermark & { coverPortrait: boolean };

export type Masked = {
  /** The masked JPEGs, in the order of the pictures. */
  copies: Buffer[];
  bsnDetected: boolean;
  inDoubt: boolean;
  /**
   * The photograph of the holder, for the reviewer, with whatever else the copy covers in it. Undefined if the copy shows the photograph,
   * if none was found, or if the masking is in doubt.
   */
  portrait: Buffer | undefined;
};

type Side = { colour: Colour; picture: Grey; lines: Line[] };
type FoundZone = { side: Side; rows: readonly Row[]; facts: ZoneFacts | undefined };
/** A side with all that decides about its covers. */
type SeenSide = Side & {
  rows: readonly Row[];
  direction: number;
  read: ReadLine[];
  codes: Code[];
  faces: Face[];
};

/** Masks the pictures of one document. The first picture is the one with the portrait. */
export async function mask(
  pictures: readonly Colour[],
  request: MaskingRequest,
  tools: MaskingTools,
): Promise<Masked> {
  const { sides, ...found } = await cover(pictures, request, tools);
  const copies: Buffer[] = [];
  for (const side of sides) copies.push(await jpegOf(await watermarked(side, request)));
  return { copies, ...found };
}

/**
 * Covers what must not stay, without a watermark. If a document may have a BSN and none was found, everything is covered except text that
 * surely has none.
 */
export async function cover(
  pictures: readonly Colour[],
  request: Pick<MaskingRequest, 'coverPortrait'>,
  tools: MaskingTools,
): Promise<Omit<Masked, 'copies'> & { sides: Colour[] }> {
  const located: Side[] = [];
  for (const colour of pictures) {
    const picture = greyOf(colour);
    located.push({ colour, picture, lines: await locateLines(picture, tools.models) });
  }
  const zone = await zoneIn(located, tools);
  const seen: SeenSide[] = [];
  for (const side of located) seen.push(await seenSide(side, zone, request, tools));
  const facts = zone?.facts;
  const bsns = seen.map((side) => bsnsOf(side, facts));
  const inPrint = bsns.flatMap(({ print }) => print);
  const all = [...inPrint, ...bsns.flatMap(({ code }) => code), ...(facts?.bsns ?? [])];
  const inDoubt = isInDoubt(facts, inPrint);
  const [front] = seen;
  const lacksPortrait = request.coverPortrait && front?.faces.length === 0;
  const sides: CoveredSide[] = [];
  for (const [index, side] of seen.entries()) {
    const coverAll = inDoubt || (lacksPortrait && side === front);
    const numbers = bsns[index]?.lines ?? [];
    sides.push(await coveredSide({ ...side, numbers }, facts, coverAll, request, tools));
  }
  const face = request.coverPortrait && !inDoubt ? front?.faces[0] : undefined;
  const [first] = sides;
  const portrait = face && first ? await cutOut(first.withPhotographs, face) : undefined;
  return { sides: sides.map(({ copy }) => copy), bsnDetected: all.length > 0, inDoubt, portrait };
}

async function zoneIn(sides: readonly Side[], { models }: Tools): Promise<FoundZone | undefined> {
  const zone = await findZoneOn(sides, models.zone);
  return zone && { ...zone, facts: zoneFacts(await zoneReadings(zone.side.picture, zone.rows, models)) };
}

async function seenSide(
  side: Side,
  zone: FoundZone | undefined,
  { coverPortrait }: Pick<MaskingRequest, 'coverPortrait'>,
  { models, faces: network }: MaskingTools,
): Promise<SeenSide> {
  const rows = zone?.side === side ? zone.rows : [];
  const beside = outside(side.lines, rows);
  const direction = rows[0]?.line.angle ?? (await directionOf(side.picture, beside, models));
  return {
    ...side,
    ...{ rows, direction },
    read: await readLines(side.picture, beside, direction, models),
    codes: await findCodes(side.picture),
    faces: coverPortrait ? await findFaces(side.colour, quartersBack(direction), network) : [],
  };
}

/** The quarters of a turn clockwise that make a document upright. */
const quartersBack = (direction: number) => ((-Math.round((2 * direction) / Math.PI) % 4) + 4) % 4;

/** `lines` are those in which a number was found, each alone or as a piece. */
type FoundBsns = { print: string[]; lines: ReadLine[]; code: string[] };

/** The highest number of neighbouring lines that may be pieces of one number. */
const piecesMax = 9;

function bsnsOf({ read, codes, direction }: SeenSide, facts: ZoneFacts | undefined): FoundBsns {
  const lines = inReadingOrder(read, direction);
  const joined = lines.flatMap((_, start) => {
    const rest = lines.slice(start, start + piecesMax);
    const end = rest.findIndex(({ text }) => !isPiece(text, facts));
    const pieces = rest.slice(0, end === -1 ? rest.length : end);
    return pieces.map((_, last) => pieces.slice(0, last + 1));
  });
  const found = [...lines.map((line) => [line]), ...joined].flatMap((parts) => {
    const numbers = bsnsBeside(parts.map(({ text }) => text).join(' '), facts);
    return numbers.length === 0 ? [] : [{ parts, numbers }];
  });
  return {
    print: found.flatMap(({ numbers }) => numbers),
    lines: found.flatMap(({ parts }) => parts),
    code: codes.flatMap(({ text }) => bsnsIn(text)),
  };
}

function inReadingOrder(read: readonly ReadLine[], direction: number): ReadLine[] {
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  const down = ({ line: { x, y } }: ReadLine) => y * cos - x * sin;
  const along = ({ line: { x, y } }: ReadLine) => x * cos + y * sin;
  return read.toSorted((a, b) => {
    const isSameRow = Math.abs(down(a) - down(b)) < Math.min(a.line.height, b.line.height) / 2;
    return isSameRow ? along(a) - along(b) : down(a) - down(b);
  });
}

/**
 * A document is in doubt if it may have a BSN and none was found in its print. A BSN in its zone must be in the print too: else there
 * is print that was not read.
 */
function isInDoubt(facts: ZoneFacts | undefined, inPrint: readonly string[]): boolean {
  if (facts === undefined) return true;
  if (!facts.isDutch) return false;
  return facts.bsns.length > 0 ? !facts.bsns.some((bsn) => inPrint.includes(bsn)) : inPrint.length === 0;
}

/** The margins around a line that is covered, and around one that stays, as shares of its height. */
const coverMargins = [1.5, 0.35] as const;
const stayMargins = [0.2, 0.05] as const;

/** A copy, and the same with its photographs. Both lack the same text and codes. */
type CoveredSide = { copy: Colour; withPhotographs: Colour };

async function coveredSide(
  side: SeenSide & { numbers: readonly ReadLine[] },
  facts: ZoneFacts | undefined,
  coverAll: boolean,
  { coverPortrait }: Pick<MaskingRequest, 'coverPortrait'>,
  { models }: MaskingTools,
): Promise<CoveredSide> {
  const mayStay = ({ text, certainty }: ReadLine) =>
    facts !== undefined && !facts.isDutch
      ? bsnsBeside(text, facts).length === 0
      : maySurelyStay({ text, certainty }, facts);
  const zone = zoneShapes(side.rows);
  const harmful = [
    ...zone.optional,
    ...side.read
      .filter((line) => !mayStay(line) || side.numbers.includes(line))
      .map(({ line }) => shapeOf(line, ...coverMargins)),
    ...side.codes.map(({ shape }) => shape),
  ];
  const photographs = coverPortrait ? side.faces.map(photographOf) : [];
  const staying = side.read
    .filter((line) => maySurelyStay(line, facts))
    .map(({ line }) => shapeOf(line, ...stayMargins));
  const needed = facts === undefined ? staying : [...staying, ...zone.rest];
  // The cover of a photograph is a guess, and must not take a line beside it.
  const beside = staying.filter(
    (line) => !photographs.some((photograph) => isMiddleWithin(line, photograph)),
  );
  const copyOf = (picture: Colour) => restored(covered(picture, photographs), picture, beside);
  const once = covered(coverAll ? coveredBut(side.colour, needed) : side.colour, harmful);
  if (coverAll) return { copy: copyOf(once), withPhotographs: once };
  // What is left is searched again, with larger letters. What was hidden beside or below may now be found. The photographs are searched
  // too, since a number may stand on or below one.
  const grey = greyOf(once);
  const kept = side.read.filter(mayStay).map(({ line }) => line);
  const fresh = outside(await locateSmallLines(grey, models), side.rows).filter(
    (line) => !kept.some((one) => isWithin(line, one)),
  );
  const more = await readLines(grey, fresh, side.direction, models);
  // A face can look as busy as a code.
  const plain = [...staying, ...zone.rest, ...zone.optional, ...photographs];
  const busy = facts === undefined || facts.isDutch ? findBusyAreas(grey, plain) : [];
  const withPhotographs = covered(once, [
    ...more.filter((line) => !mayStay(line)).map(({ line }) => shapeOf(line, ...coverMargins)),
    ...(await findCodes(grey)).map(({ shape }) => shape),
    ...busy,
  ]);
  return { copy: copyOf(withPhotographs), withPhotographs };
}

/** True if the middle of a shape is within another one, which has level sides. */
function isMiddleWithin(shape: Shape, other: Shape): boolean {
  return ([0, 1] as const).every((axis) => {
    const middle = shape.reduce((sum, point) => sum + point[axis], 0) / shape.length;
    const sides = other.map((point) => point[axis]);
    return middle > Math.min(...sides) && middle < Math.max(...sides);
  });
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
