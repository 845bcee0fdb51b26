export type Grey = { pixels: Uint8Array; width: number; height: number };

/** The sides of a tile, in pixels. */
export const tileSide = 24;

/**
 * Calls `judge` for each tile, row by row. The outermost pixels belong to no tile, and neither does a remainder at the right or at
 * the bottom.
 */
export function tilesOf<Value>({ width, height }: Grey, judge: (x: number, y: number) => Value): Value[][] {
  const starts = (side: number) =>
    Array.from({ length: Math.floor((side - 2) / tileSide) }, (_, index) => 1 + index * tileSide);
  return starts(height).map((y) => starts(width).map((x) => judge(x, y)));
}

export function laplacianVariance({ pixels, width }: Grey, left: number, top: number): number {
  const at = (index: number) => pixels[index] ?? 0;
  let sum = 0;
  let sumOfSquares = 0;
  for (let y = top; y < top + tileSide; y++) {
    for (let i = y * width + left; i < y * width + left + tileSide; i++) {
      const laplacian = 4 * at(i) - at(i - 1) - at(i + 1) - at(i - width) - at(i + width);
      sum += laplacian;
      sumOfSquares += laplacian * laplacian;
    }
  }
  const count = tileSide * tileSide;
  return sumOfSquares / count - (sum / count) ** 2;
}
