import type { Colour } from '../masking/colour.ts';
import type { Grey } from '../reading/grey.ts';
import type { Area, IsOn, RecaptureNetwork } from './recapture-network.ts';

/** A small copy of a picture in colour, three bytes a pixel. A place of the picture times `scale` is a place of the copy. */
type Colours = { pixels: Uint8Array; width: number; height: number; scale: number };

/** The picture of one side: its greys for reading, its colours, and a small copy of them. A picture without three colours has none. */
export type Photograph = { grey: Grey; colour: Colour | undefined; colours: Colours };

/**
 * True if the picture may show a screen, a print or a copy instead of the document itself. A network knows their pixels, dots and grain. A
 * copy in black and white has no colour, while every document has. Thresholds: docs/choices/checks.md.
 */
export async function mayBeRecaptured(
  { colour, colours }: Photograph,
  area: Area,
  isOn: IsOn,
  network: RecaptureNetwork,
): Promise<boolean> {
  if (colourOf(colours, area, isOn) < colourMin) return true;
  const share = colour && (await network(colour, area, isOn));
  return share !== undefined && share > shareMax;
}

/** Six of 140 drawn documents were above this, on which nothing was trained. */
export const shareMax = 0.7;
/** Two of 160 drawn documents had less colour than this, and 15 of 40 drawn copies in black and white. */
const colourMin = 0.025;
/** The number of points that are looked at, in each direction. */
const points = 60;

/**
 * How much the colour differs from place to place, as a share of the brightness. Light has a colour of its own, and it may change evenly
 * across the picture. So that is taken away first. A single coloured spot beside or on a copy counts little.
 */
function colourOf({ scale, ...colours }: Colours, area: Area, isOn: IsOn): number {
  const seen: Tint[] = [];
  for (let row = 0; row < points; row++)
    for (let column = 0; column < points; column++) {
      const [right, down] = [(column + 0.5) / points, (row + 0.5) / points];
      const [x, y] = [
        area.left + right * (area.right - area.left),
        area.top + down * (area.bottom - area.top),
      ];
      if (isOn(x, y)) seen.push({ right, down, ...tintAt(colours, x * scale, y * scale) });
    }
  const [reds, blues] = [unevenness(seen, ({ red }) => red), unevenness(seen, ({ blue }) => blue)];
  const differences = reds.map((red, index) => Math.hypot(red, blues[index] ?? 0)).toSorted((a, b) => a - b);
  return differences[Math.floor(differences.length * mostShare)] ?? 0;
}

const mostShare = 0.9;

type Tint = { right: number; down: number; red: number; blue: number };

/** In the dark a colour says little. */
const darkness = 30;

function tintAt(
  { pixels, width, height }: Omit<Colours, 'scale'>,
  x: number,
  y: number,
): { red: number; blue: number } {
  const at = 3 * (Math.min(Math.floor(y), height - 1) * width + Math.min(Math.floor(x), width - 1));
  const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
  const brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
  return {
    red: (red - brightness) / (brightness + darkness),
    blue: (blue - brightness) / (brightness + darkness),
  };
}

/** What is left of the values when their mean and an even slope across the document are taken away. */
function unevenness(seen: readonly Tint[], partOf: (tint: Tint) => number): number[] {
  const mean = (part: (tint: Tint) => number) =>
    seen.reduce((sum, tint) => sum + part(tint), 0) / seen.length;
  const [value, right, down] = [mean(partOf), mean((tint) => tint.right), mean((tint) => tint.down)];
  const slope = (along: (tint: Tint) => number) =>
    mean((tint) => along(tint) * (partOf(tint) - value)) /
    Math.max(
      mean((tint) => along(tint) ** 2),
      1e-9,
    );
  const [across, below] = [slope((tint) => tint.right - right), slope((tint) => tint.down - down)];
  return seen.map(
    (tint) => partOf(tint) - value - across * (tint.right - right) - below * (tint.down - down),
  );
}
