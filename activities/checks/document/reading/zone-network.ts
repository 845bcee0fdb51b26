import { readFile } from 'node:fs/promises';
import { openNetwork } from '../../networks/run.ts';
import type { Grey } from './grey.ts';
import { alphabet } from './ocr-b.ts';
import { stripSize } from './strip.ts';

/**
 * A character, the probability that it is right, and its middle and the height of its place in pixels of the strip. A faint one counts only
 * where a character must be.
 */
export type Seen = {
  character: string;
  certainty: number;
  isFaint: boolean;
  x: number;
  y: number;
  height: number;
};

/** Reads strips. The characters of each are in order from left to right. */
export type ZoneNetwork = (strips: readonly Grey[]) => Promise<Seen[][]>;

/** One step of the answer is this number of pixels wide. */
const stepWidth = 4;
/** A step without the middle of a character has the class after the last character. */
const nothing = alphabet.length;

/** The network is made by `test/training/zone/train.py` (docs/choices/zone-network.md). */
export async function openZoneNetwork(): Promise<ZoneNetwork> {
  const run = await openNetwork(await readFile(new URL('./zone.onnx', import.meta.url)));
  return async (strips) => {
    const size = stripSize.width * stripSize.height;
    const pixels = new Float32Array(strips.length * size);
    for (const [index, strip] of strips.entries()) pixels.set(strip.pixels, index * size);
    const { values, dims } = await run(pixels, [strips.length, 1, stripSize.height, stripSize.width]);
    const [, steps = 0, columns = 0] = dims;
    return strips.map((_, index) =>
      charactersOf(values.subarray(index * steps * columns, (index + 1) * steps * columns), columns),
    );
  };
}

/**
 * A step whose probability of no character is higher sees none. Lines that stand upside down are taught as nothing, and O and S look the same
 * both ways. So in some lines such a character is denied for two thirds. What is denied by more than half is faint.
 */
const nothingMax = 0.85;
const faintFrom = 0.5;

/** Steps that see a character, at about the same place, see the same one. In pixels. */
const samePlace = 5;

/**
 * The characters of a strip. What a character is counts over all steps that see it, so that one between two that look alike is still seen.
 */
function charactersOf(table: Float32Array, columns: number): Seen[] {
  const groups: { x: number; rows: Float32Array[]; steps: number[] }[] = [];
  for (let step = 0; step < table.length / columns; step++) {
    const row = table.subarray(step * columns, (step + 1) * columns);
    if ((row[nothing] ?? 1) > nothingMax) continue;
    const { x } = placeOf(row, step);
    const last = groups.at(-1);
    if (last !== undefined && Math.abs(x - last.x) < samePlace) {
      last.rows.push(row);
      last.steps.push(step);
    } else groups.push({ x, rows: [row], steps: [step] });
  }
  return groups.map(({ rows, steps }) => surestOf(rows, steps));
}

function surestOf(rows: readonly Float32Array[], steps: readonly number[]): Seen {
  const sumOf = (index: number) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0);
  const sums = Array.from(alphabet, (_, index) => sumOf(index));
  const best = sums.indexOf(Math.max(...sums));
  const certainties = rows.map((row) => row[best] ?? 0);
  const at = certainties.indexOf(Math.max(...certainties));
  const row = rows[at] ?? new Float32Array();
  return {
    character: alphabet[best] ?? '',
    certainty: row[best] ?? 0,
    isFaint: rows.every((each) => (each[nothing] ?? 1) >= faintFrom),
    ...placeOf(row, steps[at] ?? 0),
  };
}

function placeOf(row: Float32Array, step: number): Pick<Seen, 'x' | 'y' | 'height'> {
  const [right = 0, down = 0, height = 0] = row.subarray(nothing + 1);
  return { x: (step + 0.5) * stepWidth + right, y: stripSize.height / 2 + down, height };
}
