import { readFile } from 'node:fs/promises';
import { openNetwork, type Run } from '../../networks/run.ts';
import type { Colour } from '../masking/colour.ts';

/** A part of a picture, in pixels. */
export type Area = { left: number; top: number; right: number; bottom: number };

export type IsOn = (x: number, y: number) => boolean;

/**
 * The probability that an area of a picture shows a screen, a print or a copy, by the pictures of the training. `isOn` says which places
 * of the area belong to what was photographed. Undefined if the picture is too small.
 */
export type RecaptureNetwork = (picture: Colour, area: Area, isOn: IsOn) => Promise<number | undefined>;

/** The network is made by `test/training/recapture/train.py` (docs/choices/recapture-network.md). */
export async function openRecaptureNetwork(): Promise<RecaptureNetwork> {
  const run = await openNetwork(await readFile(new URL('./recapture.onnx', import.meta.url)));
  return async (picture, area, isOn) => shareIn(picture, partsOf(picture, area, isOn), run);
}

/** The side of a part that the network looks at, in pixels. */
const side = 256;
/** The blocks of a JPEG are so many pixels wide and high. A part begins where a block does, as in the training. */
const block = 8;
const [columns, rows] = [4, 3];

type Corner = readonly [left: number, top: number];

/** Looks at one part after the other: the spectra of all parts at once need a quarter of a gigabyte, and take longer. */
async function shareIn(picture: Colour, parts: readonly Corner[], run: Run): Promise<number | undefined> {
  if (parts.length === 0) return undefined;
  const planes = new Float32Array(3 * side * side);
  let sum = 0;
  for (const corner of parts) {
    cut(picture, corner, planes);
    const { values } = await run(planes, [1, 3, side, side]);
    sum += values[0] as number;
  }
  return 1 / (1 + Math.exp(-sum / parts.length));
}

/** Parts that lie evenly in the area. Those that lie beside the document count only if all of them do. */
function partsOf({ width, height }: Colour, { left, top, right, bottom }: Area, isOn: IsOn): Corner[] {
  if (width < side || height < side) return [];
  const along = (from: number, to: number, end: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const begin = from + ((to - from - side) * index) / (count - 1);
      return block * Math.floor(Math.min(Math.max(begin, 0), end - side) / block);
    });
  const all = along(top, bottom, height, rows).flatMap((y) =>
    along(left, right, width, columns).map((x): Corner => [x, y]),
  );
  const inside = all.filter(([x, y]) =>
    [0, side].every((down) => [0, side].every((across) => isOn(x + across, y + down))),
  );
  return inside.length === 0 ? all : inside;
}

/** Copies a part as three planes: red, green and blue. */
function cut({ pixels, width }: Colour, [left, top]: Corner, into: Float32Array): void {
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const from = 3 * ((top + y) * width + left + x);
      const to = y * side + x;
      for (let plane = 0; plane < 3; plane++) into[plane * side * side + to] = pixels[from + plane] as number;
    }
}
