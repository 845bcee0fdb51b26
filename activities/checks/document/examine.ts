import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { Check } from '#contract/workflows.ts';
import { fieldsOf } from './judging/fields.ts';
import { judge } from './judging/judge.ts';
import { distanceOf } from './judging/labels.ts';
import { nothingRead, type PrintLine, type Readings } from './judging/readings.ts';
import { understood } from './judging/zone-text.ts';
import { licenceNumbersIn, loadCodeReader } from './masking/codes.ts';
import { type Places, placedFields } from './placed-fields.ts';
import { type Frame, frameOf, isOnDocument } from './reading/frame.ts';
import type { Grey, Line } from './reading/grey.ts';
import type { Models } from './reading/models.ts';
import { readText, zoneReadings } from './reading/recogniser.ts';
import type { Row } from './reading/row.ts';
import { locateLines } from './reading/text-lines.ts';
import { locateUpright, quartersBack } from './reading/upright.ts';
import { findZoneOn } from './reading/zone.ts';
import { mayBeRecaptured, type Photograph } from './recapture/recapture.ts';
import type { Area, RecaptureNetwork } from './recapture/recapture-network.ts';

export type Tools = { models: Models };
type ExamineTools = Tools & { recapture: RecaptureNetwork };

type Side = { picture: Grey; photograph: Photograph; lines: Line[] };

/** Makes the checks of a document from its pictures, and says what was read where. `today` is a calendar day such as `2026-11-21`. */
export async function examine(pictures: Photograph[], today: string, tools: ExamineTools): Promise<Examined> {
  const { readings, places } = await readDocument(pictures, tools);
  return { checks: judge(readings, today), read: placedFields(fieldsOf(readings, today), places) };
}

type Examined = { checks: Check[]; read: ReadDocument };

export async function readDocument(
  pictures: Photograph[],
  tools: ExamineTools,
): Promise<{ readings: Readings; places: Places }> {
  const sides: Side[] = [];
  for (const photograph of pictures) {
    const picture = photograph.grey;
    sides.push({ picture, photograph, lines: await locateLines(picture, tools.models) });
  }
  const found = await findZoneOn(sides, tools.models.zone);
  const sizes = sides.map(({ picture: { width, height } }) => ({ width, height }));
  if (found === undefined)
    return { readings: nothingRead, places: { sizes, zone: undefined, print: new Map() } };
  const { side: zoneSide, rows } = found;
  const zone = await zoneReadings(zoneSide.picture, rows, tools.models);
  const placed = new Map<PrintLine, Line>();
  for (const [index, side] of sides.entries())
    for (const [read, line] of await readPrint(side, index, side === zoneSide ? rows : [], tools.models))
      placed.set(read, line);
  const print = [...placed.keys()];
  const readings = {
    zone,
    // A line with `<` looks like a second zone. The text of a second zone must not confirm the first zone.
    print: print.filter(({ text }) => !text.includes('<')),
    hasOtherZone: print.some(({ text }) => isOfZone(text)),
    codeNumbers: understood(zone)?.kind === 'driving licence' ? await codeNumbersOn(sides) : [],
    mayBeRecaptured: await anyRecaptured(sides, zoneSide, rows, tools.recapture),
  };
  return { readings, places: { sizes, zone: { side: sides.indexOf(zoneSide), rows }, print: placed } };
}

/** The decoder is loaded here, since most documents need none. */
async function codeNumbersOn(sides: readonly Side[]): Promise<string[]> {
  await loadCodeReader();
  const numbers: string[] = [];
  for (const { picture } of sides) numbers.push(...(await licenceNumbersIn(picture)));
  return numbers;
}

async function anyRecaptured(
  sides: readonly Side[],
  zoneSide: Side,
  rows: readonly Row[],
  network: RecaptureNetwork,
): Promise<boolean> {
  for (const side of sides)
    if (await looksRecaptured(side, side === zoneSide ? rows : [], network)) return true;
  return false;
}

/** Looks at the part of a picture with text, and on the side with the zone only at what lies on the document. */
async function looksRecaptured(
  { photograph, lines }: Side,
  zone: readonly Row[],
  network: RecaptureNetwork,
): Promise<boolean> {
  const frame = frameOf(zone);
  const isOn = (x: number, y: number) => frame === undefined || isOnDocument(frame(x, y), zone);
  const area = areaOf(lines.filter(({ x, y }) => isOn(x, y)));
  return area !== undefined && (await mayBeRecaptured(photograph, area, isOn, network));
}

function areaOf(lines: readonly Line[]): Area | undefined {
  if (lines.length === 0) return undefined;
  const xs = lines.flatMap(({ x, angle, length }) =>
    [-0.5, 0.5].map((end) => x + end * length * Math.cos(angle)),
  );
  const ys = lines.flatMap(({ y, angle, length }) =>
    [-0.5, 0.5].map((end) => y + end * length * Math.sin(angle)),
  );
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}

/** The least number of fillers, and of characters, in a line that belongs to a zone. */
const zoneLine = { fillers: 2, characters: 20 } as const;

const isOfZone = (text: string) =>
  text.split('<').length > zoneLine.fillers && text.length >= zoneLine.characters;

/** The maximum number of lines that are read per picture. A page of a passport has about twenty. */
const printLinesMax = 60;
/** The number of lines that are read in both directions to find out which way up a picture is. */
const sampleLines = 3;

/**
 * Reads the text outside the zone. The direction of the zone shows which way up the picture is. If the picture has no zone, some
 * lines are read in both directions, and the direction with the higher certainty is used. Of a document on its side the lines are located
 * anew: the detector breaks small print that stands into pieces.
 */
async function readPrint(
  { picture, lines }: Side,
  side: number,
  zone: readonly Row[],
  models: Models,
): Promise<Map<PrintLine, Line>> {
  const longest = (all: readonly Line[]) =>
    outside(all, zone)
      .toSorted((p, q) => q.length - p.length)
      .slice(0, printLinesMax);
  const direction = zone[0]?.line.angle ?? (await moreCertainDirection(picture, longest(lines), models));
  const isOnItsSide = quartersBack(direction) % 2 === 1;
  const locate = (upright: Grey) => locateLines(upright, models);
  const beside = longest(isOnItsSide ? await locateUpright(picture, direction, locate) : lines);
  const frame = frameOf(zone) ?? uprightBy(direction);
  const placed = beside
    .map((line) => ({ line, ...placeOf(turned(line, direction), frame) }))
    .toSorted((p, q) => q.height - p.height);
  const read = new Map<PrintLine, Line>();
  for (const { line, ...place } of placed) {
    const isOn = zone.length === 0 || isOnDocument(frame(line.x, line.y), zone);
    // Beside the document, only a line that is as long as one of a zone matters.
    if (!isOn && line.length < otherZoneMin * (zone[0]?.line.length ?? 0)) continue;
    const unread = { text: '', side, ...place };
    const text = isOverDigits(unread, [...read.keys()])
      ? ''
      : (await readText(picture, turned(line, direction), models)).text;
    if (isOn || text.includes('<')) read.set({ ...unread, text }, line);
  }
  return read;
}

/**
 * True if the line stands over a date or a number. Then it is their label, and is not read: it takes long, and no date is sought by its
 * label. Values are larger than labels, so they were read before.
 */
const isOverDigits = (line: PrintLine, read: readonly PrintLine[]) =>
  read.some((value) => labelledDigits.test(value.text) && distanceOf(value, line) < closeMax);

/** The greatest distance from a date to its own label, and less than to the value above that. See `distanceOf`. */
const closeMax = 1.3;

const labelledDigits = /\d\D{0,3}\d\D{0,3}\d\D{0,3}\d/;

/** A line of another zone is at least this share as long as one of the zone that was read, or it is too far away to be read. */
const otherZoneMin = 0.4;

const uprightBy = (direction: number): Frame => {
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  return (x, y) => [x * cos + y * sin, y * cos - x * sin];
};

/** Where a line stands on the document. The detector's lines are about one and a half times as high as their letters. */
function placeOf({ x, y, angle, length, height }: Line, frame: Frame): Omit<PrintLine, 'text' | 'side'> {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (along: number, across: number) =>
    frame(x + along * cos - across * sin, y + along * sin + across * cos);
  const [left, right] = [at(-length / 2, 0), at(length / 2, 0)];
  const [top, bottom] = [at(0, -height / 2), at(0, height / 2)];
  return { left: left[0], right: right[0], middle: frame(x, y)[1], height: bottom[1] - top[1] };
}

/** The lines of text that are in no row of a zone. */
export const outside = (lines: readonly Line[], rows: readonly Row[]): Line[] =>
  lines.filter((line) => !rows.some((row) => lies(line, row)));

/** True if the middle of the line of text is in a row of the zone or very near to it. */
function lies(line: Line, { line: row }: Row): boolean {
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
