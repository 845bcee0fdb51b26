import type { Check } from '#contract/workflows.ts';
import type { Grey, Line } from './grey.ts';
import { judge } from './judge.ts';
import type { Models } from './models.ts';
import { nothingRead, type Readings } from './readings.ts';
import { readPlaces, readText } from './recogniser.ts';
import type { Row } from './row.ts';
import type { Templates } from './templates.ts';
import { locateLines } from './text-lines.ts';
import { findZone, type Zone } from './zone.ts';

export type Tools = { models: Models; templates: Templates };

type Side = { picture: Grey; lines: Line[] };

/** Makes the checks of a document from its pictures. `today` is a calendar day such as `2026-11-21`. */
export async function examine(pictures: Grey[], today: string, tools: Tools): Promise<Check[]> {
  return judge(await readDocument(pictures, tools), today);
}

async function readDocument(pictures: Grey[], tools: Tools): Promise<Readings> {
  const sides: Side[] = [];
  for (const picture of pictures) sides.push({ picture, lines: await locateLines(picture, tools.models) });
  // The back is searched first, because an identity card has its machine-readable zone on the back. A passport has only one page.
  for (const side of sides.toReversed()) {
    const zone = findZone(side.picture, side.lines, tools.templates);
    if (zone !== undefined) return readAll(sides, side, zone, tools);
  }
  return nothingRead;
}

async function readAll(sides: Side[], zoneSide: Side, { rows }: Zone, tools: Tools): Promise<Readings> {
  const b: string[][] = [];
  for (const row of rows) {
    const places = await readPlaces(zoneSide.picture, row, tools.models);
    b.push(places.map(({ character }) => character));
  }
  const print: string[] = [];
  for (const side of sides) {
    const zone = side === zoneSide ? rows : [];
    print.push(...(await readPrint(side, zone, tools.models)));
  }
  return {
    zone: {
      a: rows.map(({ places }) => places.map(({ character }) => character)),
      b,
      fit: Math.min(...rows.flatMap(({ places }) => places.map(({ fit }) => fit))),
    },
    print,
  };
}

/** The maximum number of lines that are read per picture. A page of a passport has about twenty. */
const printLinesMax = 60;
/** The number of lines that are read in both directions to find out which way up a picture is. */
const sampleLines = 3;

/**
 * Reads the text outside the zone. The direction of the zone shows which way up the picture is. If the picture has no zone, some
 * lines are read in both directions, and the direction with the higher certainty is used.
 */
async function readPrint({ picture, lines }: Side, zone: readonly Row[], models: Models): Promise<string[]> {
  const beside = lines
    .filter((line) => !zone.some((row) => lies(line, row)))
    .toSorted((p, q) => q.length - p.length)
    .slice(0, printLinesMax);
  const direction = zone[0]?.line.angle ?? (await moreCertainDirection(picture, beside, models));
  const texts: string[] = [];
  for (const line of beside) {
    const { text } = await readText(picture, turned(line, direction), models);
    // A line with `<` looks like a second zone. The text of a second zone must not confirm the first zone.
    if (!text.includes('<')) texts.push(text);
  }
  return texts;
}

/** True if the middle of the line of text is in a row of the zone or very near to it. */
export function lies(line: Line, { line: row }: Row): boolean {
  const [right, down] = [line.x - row.x, line.y - row.y];
  const across = down * Math.cos(row.angle) - right * Math.sin(row.angle);
  const along = right * Math.cos(row.angle) + down * Math.sin(row.angle);
  return Math.abs(across) < row.height && Math.abs(along) < row.length / 2 + row.height;
}

/**
 * Turns the line upside down if it points away from `direction`. The detector cannot distinguish a line from the same line upside
 * down.
 */
export function turned(line: Line, direction: number): Line {
  return Math.cos(line.angle - direction) < 0 ? { ...line, angle: line.angle + Math.PI } : line;
}

export async function moreCertainDirection(picture: Grey, lines: Line[], models: Models): Promise<number> {
  const first = lines[0]?.angle ?? 0;
  const certaintyOf = async (direction: number) => {
    let sum = 0;
    for (const line of lines.slice(0, sampleLines))
      sum += (await readText(picture, turned(line, direction), models)).certainty;
    return sum;
  };
  return (await certaintyOf(first)) >= (await certaintyOf(first + Math.PI)) ? first : first + Math.PI;
}
