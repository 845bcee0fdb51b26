import type { Grey } from '../reading/grey.ts';

/** The side of a tile whose spectrum is taken, in pixels. A power of two. */
export const tileSide = 64;

/** A spectrum has rows for no wave to half a tile of them. The other rows would say the same. */
export const spectrumSize = tileSide * (tileSide / 2 + 1);

/**
 * The power of each frequency of a tile, as a logarithm. Row `v` and column `u` stand for `v` and `u` waves per tile; more than half a tile of
 * them means as many in the other direction. Two tiles are taken at once, since the transform of real numbers needs half of it.
 */
export function logPowers(grey: Grey, first: Corner, second: Corner): [Float32Array, Float32Array] {
  const [real, imaginary] = [cut(grey, first), cut(grey, second)];
  for (let line = 0; line < tileSide; line++) transform(real, imaginary, line * tileSide, 1);
  for (let line = 0; line < tileSide; line++) transform(real, imaginary, line, tileSide);
  const [one, other] = [new Float32Array(spectrumSize), new Float32Array(spectrumSize)];
  for (let v = 0; v <= tileSide / 2; v++)
    for (let u = 0; u < tileSide; u++) {
      const at = v * tileSide + u;
      const opposite = ((tileSide - v) % tileSide) * tileSide + ((tileSide - u) % tileSide);
      const [a = 0, b = 0, c = 0, d = 0] = [real[at], imaginary[at], real[opposite], imaginary[opposite]];
      one[at] = Math.log(((a + c) ** 2 + (b - d) ** 2) / 4 + quiet);
      other[at] = Math.log(((b + d) ** 2 + (a - c) ** 2) / 4 + quiet);
    }
  return [one, other];
}

export type Corner = readonly [left: number, top: number];

/** A window that falls to zero at its edges, so that a tile has no edge of its own. */
const window = Float64Array.from(
  { length: tileSide },
  (_, i) => Math.sin((Math.PI * (i + 0.5)) / tileSide) ** 2,
);
/** The power of what is lost when a grey value becomes a whole number. Less than this is nothing. */
const quiet = window.reduce((sum, each) => sum + each * each, 0) ** 2 / 12;

function cut({ pixels, width }: Grey, [left, top]: Corner): Float64Array {
  const values = new Float64Array(tileSide * tileSide);
  let sum = 0;
  for (let y = 0; y < tileSide; y++)
    for (let x = 0; x < tileSide; x++) {
      const value = pixels[(top + y) * width + left + x] ?? 0;
      values[y * tileSide + x] = value;
      sum += value;
    }
  const mean = sum / values.length;
  for (let y = 0; y < tileSide; y++)
    for (let x = 0; x < tileSide; x++) {
      const at = y * tileSide + x;
      values[at] = ((values[at] ?? 0) - mean) * (window[x] ?? 0) * (window[y] ?? 0);
    }
  return values;
}

const bits = Math.log2(tileSide);
const mirrored = Uint8Array.from({ length: tileSide }, (_, index) => {
  let from = index;
  let to = 0;
  for (let bit = 0; bit < bits; bit++, from >>= 1) to = 2 * to + (from & 1);
  return to;
});
const cosines = Float64Array.from({ length: tileSide / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / tileSide));
const sines = Float64Array.from({ length: tileSide / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / tileSide));

/** Takes the discrete Fourier transform of one line, in place (Cooley and Tukey). Its numbers are `step` apart. */
function transform(real: Float64Array, imaginary: Float64Array, from: number, step: number): void {
  for (let index = 0; index < tileSide; index++) {
    const to = mirrored[index] as number;
    if (to <= index) continue;
    exchange(real, from + index * step, from + to * step);
    exchange(imaginary, from + index * step, from + to * step);
  }
  for (let half = 1; half < tileSide; half *= 2) {
    const turns = tileSide / (2 * half);
    for (let i = 0; i < half; i++) {
      const cos = cosines[i * turns] as number;
      const sin = sines[i * turns] as number;
      for (let start = i; start < tileSide; start += 2 * half) {
        const a = from + start * step;
        const b = a + half * step;
        const re = real[b] as number;
        const im = imaginary[b] as number;
        const right = re * cos - im * sin;
        const down = re * sin + im * cos;
        real[b] = (real[a] as number) - right;
        imaginary[b] = (imaginary[a] as number) - down;
        real[a] = (real[a] as number) + right;
        imaginary[a] = (imaginary[a] as number) + down;
      }
    }
  }
}

function exchange(values: Float64Array, a: number, b: number): void {
  const held = values[a] as number;
  values[a] = values[b] as number;
  values[b] = held;
}
