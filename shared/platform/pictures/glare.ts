import { type Grey, laplacianVariance, tileSide, tilesOf } from './tiles.ts';

/**
 * A pixel is bright if it has at least this brightness (0 to 255). A tile is overexposed if more than this
 * share of its pixels is bright.
 */
const overexposed = { brightness: 248, share: 0.6 } as const;

/**
 * The largest accepted share of tiles with glare. A picture with the reflection of a lamp over the text measures 0.024. A picture
 * without a reflection measures 0.
 */
const glareMax = 0.01;

/**
 * True if too many tiles have glare. An overexposed area at the edge of the picture is usually a white table or the lid of a scanner.
 * Such an area is not counted as glare. Neither is one in which there is writing, since the paper itself is that white, nor a sheet of
 * paper on which the document lies. `sharpnessMin` is the sharpness of writing.
 */
export function hasGlare(grey: Grey, sharpnessMin: number): boolean {
  const isBright = tilesOf(grey, (x, y) => isOverexposed(grey, x, y));
  const rows = isBright.length;
  const columns = isBright[0]?.length ?? 0;
  const seen = isBright.map((row) => row.map(() => false));
  let glare = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const area = areaFrom([row, column], isBright, seen);
      if (area.length === 0) continue;
      const isAtEdge = area.some(([y, x]) => y === 0 || x === 0 || y === rows - 1 || x === columns - 1);
      if (isAtEdge || isWrittenOn(area, grey, { isBright, sharpnessMin })) continue;
      if (!liesAround(area, { rows, columns })) glare += area.length;
    }
  return glare / (rows * columns) > glareMax;
}

type Place = readonly [row: number, column: number];

/** The connected open tiles around one that was not seen yet. */
function areaFrom(start: Place, isOpen: readonly boolean[][], seen: readonly boolean[][]): Place[] {
  const area: Place[] = [];
  const visit = ([row, column]: Place) => {
    const places = seen[row];
    if (!isOpen[row]?.[column] || places === undefined || places[column]) return;
    places[column] = true;
    area.push([row, column]);
  };
  visit(start);
  for (const place of area) for (const next of besides(place)) visit(next);
  return area;
}

const besides = ([row, column]: Place): Place[] => [
  [row - 1, column],
  [row + 1, column],
  [row, column - 1],
  [row, column + 1],
];

/** The least share of sharp tiles within an area with writing. Within the reflection of a lamp there is none. */
const writtenMin = 0.05;

/** The tiles at the edge of an area do not count, since the reflection of a lamp ends there in the writing around it. */
function isWrittenOn(
  area: readonly Place[],
  grey: Grey,
  { isBright, sharpnessMin }: { isBright: readonly boolean[][]; sharpnessMin: number },
): boolean {
  const within = area.filter((place) => besides(place).every(([row, column]) => isBright[row]?.[column]));
  const written = within.filter(
    ([row, column]) => laplacianVariance(grey, 1 + column * tileSide, 1 + row * tileSide) >= sharpnessMin,
  );
  return within.length > 0 && written.length >= writtenMin * within.length;
}

/** The least size of a document that lies on a sheet of paper, as a share of the picture. */
const documentMin = 0.1;

/** True if the tiles of the area enclose a document. */
function liesAround(area: readonly Place[], { rows, columns }: { rows: number; columns: number }): boolean {
  const grid = (value: boolean) => Array.from({ length: rows }, () => Array<boolean>(columns).fill(value));
  const [isOpen, seen] = [grid(true), grid(false)];
  for (const [row, column] of area) (isOpen[row] as boolean[])[column] = false;
  let outside = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      if (row === 0 || column === 0 || row === rows - 1 || column === columns - 1)
        outside += areaFrom([row, column], isOpen, seen).length;
  return rows * columns - outside - area.length >= documentMin * rows * columns;
}

function isOverexposed({ pixels, width }: Grey, left: number, top: number): boolean {
  let bright = 0;
  for (let y = top; y < top + tileSide; y++) {
    const row = pixels.subarray(y * width + left, y * width + left + tileSide);
    for (const pixel of row) if (pixel >= overexposed.brightness) bright++;
  }
  return bright > overexposed.share * tileSide * tileSide;
}
