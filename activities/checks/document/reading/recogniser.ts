import type { ZoneReadings } from '../judging/readings.ts';
import { type Grey, type Line, redrawn, straightened } from './grey.ts';
import type { Models, Output } from './models.ts';
import { alphabet } from './ocr-b.ts';
import type { Row } from './row.ts';

/**
 * Reader B is the recogniser network of PP-OCRv4. It takes only the places of the characters from reader A. The network was trained
 * with pictures of text and does not use the font or the pitch. Therefore the two readers make different errors.
 */

/** The network was trained with lines of this height in pixels. One step of its output is eight pixels wide. */
const height = 48;
const stepWidth = 8;
const widthMax = 2400;

const ink = (grey: number) => grey / 127.5 - 1;

/** The margin above and below a line, as a share of its height. */
const margin = 0.05;
/**
 * The network reads OCR-B better if the text is stretched horizontally. In measurements in dim light and out of focus, only a third
 * of the errors remained with this factor.
 */
const stretch = 1.25;

type NetworkReading = { character: string; certainty: number };

/** What both readers read in the rows of a zone. `rows` are those that reader A found. */
export async function zoneReadings(
  picture: Grey,
  rows: readonly Row[],
  models: Models,
): Promise<ZoneReadings> {
  const b: string[][] = [];
  for (const row of rows) b.push((await readPlaces(picture, row, models)).map(({ character }) => character));
  return {
    a: rows.map(({ places }) => places.map(({ character }) => character)),
    b,
    certainty: Math.min(...rows.flatMap(({ places }) => places.map(({ certainty }) => certainty))),
  };
}

/** Reads every place of a row that reader A found. Only characters of OCR-B are considered. '' means no character. */
async function readPlaces(picture: Grey, row: Row, models: Models): Promise<NetworkReading[]> {
  const count = row.places.length;
  const placeWidth = (stretch * height * row.pitch) / (row.line.height * (1 + 2 * margin));
  const width = Math.round((count + 2) * placeWidth);
  const level = redrawn(picture, { width, height }, (x, y) =>
    row.at(x / placeWidth - 1.5, (y / height - 0.5) * (1 + 2 * margin)),
  );
  const output = await models.recogniser(level, ink);
  const allowed = indexesOf(
    models.characters,
    (character) => character !== '' && alphabet.includes(character),
  );
  return Array.from({ length: count }, (_, place) => {
    const steps = stepsWithin(output, (place + 1) * placeWidth, (place + 2) * placeWidth, width);
    return surest(output, steps, allowed, models.characters);
  });
}

const indexesOf = (characters: readonly string[], wanted: (character: string) => boolean) =>
  Array.from(characters.keys()).filter((index) => wanted(characters[index] ?? ''));

function stepsWithin({ rows }: Output, from: number, to: number, width: number): number[] {
  const stride = Math.max(width / rows, stepWidth / 2);
  return Array.from({ length: rows }, (_, step) => step).filter((step) => {
    const middle = (step + 0.5) * stride;
    return middle >= from && middle < to;
  });
}

function surest(
  { values, columns }: Output,
  steps: number[],
  allowed: number[],
  characters: readonly string[],
): NetworkReading {
  let best = { character: '', certainty: 0 };
  for (const step of steps)
    for (const index of allowed) {
      const certainty = values[step * columns + index] ?? 0;
      if (certainty > best.certainty) best = { character: characters[index] ?? '', certainty };
    }
  return best;
}

export type Text = { text: string; certainty: number };

/** Reads a line outside the zone. Only Latin letters, digits and punctuation are considered. */
export async function readText(picture: Grey, line: Line, models: Models): Promise<Text> {
  const level = straightened(picture, line, height, margin);
  if (level.width > widthMax) return { text: '', certainty: 0 };
  const { values, rows, columns } = await models.recogniser(level, ink);
  const allowed = [0, ...indexesOf(models.characters, (character) => /^[ -\u024f]$/.test(character))];
  let last = 0;
  let text = '';
  const certainties: number[] = [];
  for (let step = 0; step < rows; step++) {
    const at = (index: number) => values[step * columns + index] ?? 0;
    const best = allowed.reduce((surer, index) => (at(index) > at(surer) ? index : surer), 0);
    if (best !== 0 && best !== last) {
      text += models.characters[best];
      certainties.push(at(best));
    }
    last = best;
  }
  const certainty = certainties.reduce((sum, value) => sum + value, 0) / Math.max(certainties.length, 1);
  return { text, certainty };
}
