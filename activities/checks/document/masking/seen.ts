import { outside, type Tools } from '../examine.ts';
import type { Grey, Line } from '../reading/grey.ts';
import { zoneReadings } from '../reading/recogniser.ts';
import type { Row } from '../reading/row.ts';
import { locateLines } from '../reading/text-lines.ts';
import { locateUpright, quartersBack } from '../reading/upright.ts';
import { findZoneOn } from '../reading/zone.ts';
import { bsnsIn } from './bsn.ts';
import { type Code, findCodes } from './codes.ts';
import { type Colour, greyOf } from './colour.ts';
import type { FaceNetwork } from './face-network.ts';
import { type Face, findFaces } from './faces.ts';
import { directionOf, type ReadLine, readLines } from './look.ts';
import { bsnsBeside, isPiece } from './staying.ts';
import { type KnownValues, knownValues, type ZoneFacts, zoneFacts } from './zone-facts.ts';

export type MaskingTools = Tools & { faces: FaceNetwork };

type Side = { colour: Colour; picture: Grey; lines: Line[] };

/** A side with all that decides about its covers. `numbers` are lines in which a BSN was found, each alone or as a piece. */
export type SeenSide = Side & {
  rows: readonly Row[];
  direction: number;
  read: ReadLine[];
  numbers: readonly ReadLine[];
  codes: Code[];
  faces: Face[];
};

/** What was found on the pictures of a document. `facts` is undefined if its zone does not say them for sure. */
export type SeenDocument = {
  sides: SeenSide[];
  facts: ZoneFacts | undefined;
  known: KnownValues;
  /** The BSNs in print, and those everywhere. */
  bsns: { inPrint: string[]; all: string[] };
};

/** Looks at the pictures of a document, front first. */
export async function seenDocument(
  pictures: readonly Colour[],
  findsFaces: boolean,
  tools: MaskingTools,
): Promise<SeenDocument> {
  const located: Side[] = [];
  for (const colour of pictures) {
    const picture = greyOf(colour);
    located.push({ colour, picture, lines: await locateLines(picture, tools.models) });
  }
  const found = await findZoneOn(located, tools.models.zone);
  const zone = found && (await zoneReadings(found.side.picture, found.rows, tools.models));
  const facts = zone && zoneFacts(zone);
  const sides: SeenSide[] = [];
  const [inPrint, inCodes]: [string[], string[]] = [[], []];
  for (const side of located) {
    const rows = found?.side === side ? found.rows : [];
    const seen = await seenSide(side, rows, findsFaces, tools);
    const print = bsnsInPrint(seen, facts);
    inPrint.push(...print.flatMap(({ numbers }) => numbers));
    inCodes.push(...seen.codes.flatMap(({ text }) => bsnsIn(text)));
    sides.push({ ...seen, numbers: print.flatMap(({ parts }) => parts) });
  }
  const all = [...inPrint, ...inCodes, ...(facts?.bsns ?? [])];
  return { sides, facts, known: knownValues(zone), bsns: { inPrint, all } };
}

async function seenSide(
  side: Side,
  rows: readonly Row[],
  findsFaces: boolean,
  { models, faces: network }: MaskingTools,
): Promise<Omit<SeenSide, 'numbers'>> {
  const beside = outside(side.lines, rows);
  const direction = rows[0]?.line.angle ?? (await directionOf(side.picture, beside, models));
  const isUpright = quartersBack(direction) === 0;
  const locate = (upright: Grey) => locateLines(upright, models);
  const lines = isUpright ? beside : outside(await locateUpright(side.picture, direction, locate), rows);
  return {
    ...side,
    ...{ rows, direction },
    read: await readLines(side.picture, lines, direction, models),
    codes: await findCodes(side.picture),
    faces: findsFaces ? await findFaces(side.colour, quartersBack(direction), network) : [],
  };
}

/** The highest number of neighbouring lines that may be pieces of one number. */
const piecesMax = 9;

/** The BSNs in the print of a side, each with the lines that it stands in. */
function bsnsInPrint(
  { read, direction }: Pick<SeenSide, 'read' | 'direction'>,
  facts: ZoneFacts | undefined,
): { parts: ReadLine[]; numbers: string[] }[] {
  const lines = inReadingOrder(read, direction);
  const joined = lines.flatMap((_, start) => {
    const rest = lines.slice(start, start + piecesMax);
    const end = rest.findIndex(({ text }) => !isPiece(text, facts));
    const pieces = rest.slice(0, end === -1 ? rest.length : end);
    return pieces.map((_, last) => pieces.slice(0, last + 1));
  });
  return [...lines.map((line) => [line]), ...joined].flatMap((parts) => {
    const numbers = bsnsBeside(parts.map(({ text }) => text).join(' '), facts);
    return numbers.length === 0 ? [] : [{ parts, numbers }];
  });
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
