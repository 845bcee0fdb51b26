import type { Light } from './sensor.ts';

/** Changes the light of a place of the document to that of what shows it. Lengths are in millimetres of the document. */
export type Surface = (light: Light, across: number, down: number) => void;

/** The side of the table of one cell of a pattern. */
const cell = 32;

/** A cell behind a lens and a pixel, whose spread is `sigma` as a share of the cell. The cell repeats in both directions. */
function behindLens(cover: Float32Array, sigma: number): Float32Array {
  const weights = Array.from({ length: cell }, (_, offset) => {
    let sum = 0;
    for (let turn = -6; turn <= 6; turn++) sum += Math.exp(-(((offset / cell + turn) / sigma) ** 2) / 2);
    return sum;
  });
  const whole = weights.reduce((sum, each) => sum + each, 0);
  const along = (from: Float32Array, step: number, next: number) =>
    from.map((_, at) => {
      const [line, place] = [Math.floor(at / next) % cell, Math.floor(at / step) % cell];
      const origin = line * next;
      let sum = 0;
      for (let i = 0; i < cell; i++)
        sum += (weights[(place - i + cell) % cell] as number) * (from[origin + i * step] as number);
      return sum / whole;
    });
  const rows = along(cover, 1, cell);
  return transposed(along(transposed(rows), 1, cell));
}

const transposed = (of: Float32Array) =>
  of.map((_, at) => of[(at % cell) * cell + Math.floor(at / cell)] as number);

const table = (at: (x: number, y: number) => number) =>
  Float32Array.from({ length: cell * cell }, (_, index) =>
    at(((index % cell) + 0.5) / cell, (Math.floor(index / cell) + 0.5) / cell),
  );

const phase = (value: number) => Math.floor((value - Math.floor(value)) * cell) & (cell - 1);

export type Screen = {
  layout: 'stripes' | 'reversed' | 'diamonds';
  /** The distance of pixels. */
  pitch: number;
  /** The turn of the screen against the document, in radians. */
  turn: number;
  /** The light of the room that the glass reflects, and the light of a black pixel. */
  haze: number;
  black: number;
};

/** Which part of a cell shines in each colour. Diamonds share red and blue among two pixels, as screens of phones do. */
const layouts: Record<Screen['layout'], (x: number, y: number) => Light> = {
  stripes: (x, y) => stripesAt(x, y),
  reversed: (x, y) => stripesAt(1 - x, y),
  diamonds: (x, y) => {
    const near = (atX: number, atY: number, reach: number) =>
      Math.abs(x - atX) + Math.abs(y - atY) < reach ? 1 : 0;
    const greens = [0.25, 0.75].flatMap((atX) => [0.25, 0.75].map((atY) => near(atX, atY, 0.13)));
    return [
      near(0, 0, 0.18) + near(1, 1, 0.18) + near(0, 1, 0.18) + near(1, 0, 0.18) + near(0.5, 0.5, 0.18),
      greens.reduce<number>((sum, each) => sum + each, 0),
      near(0.5, 0, 0.2) + near(0.5, 1, 0.2) + near(0, 0.5, 0.2) + near(1, 0.5, 0.2),
    ];
  },
};

function stripesAt(x: number, y: number): Light {
  const shines = (stripe: number) => (Math.abs(x - (stripe + 0.5) / 3) < 0.13 && y > 0.1 && y < 0.9 ? 1 : 0);
  return [shines(0), shines(1), shines(2)];
}

/** `spread` is that of lens and pixel together, in millimetres of the document. */
export function screenOf({ layout, pitch, turn, haze, black }: Screen, spread: number): Surface {
  // A cell of diamonds has two pixels along each side.
  const period = layout === 'diamonds' ? 2 * pitch : pitch;
  const tables = [0, 1, 2].map((plane) => {
    const seen = behindLens(
      table((x, y) => layouts[layout](x, y)[plane] ?? 0),
      spread / period,
    );
    const mean = seen.reduce((sum, each) => sum + each, 0) / seen.length;
    return seen.map((each) => each / mean);
  });
  const [cos, sin] = [Math.cos(turn) / period, Math.sin(turn) / period];
  return (light, across, down) => {
    const at = phase(down * cos - across * sin) * cell + phase(across * cos + down * sin);
    for (let plane = 0; plane < 3; plane++)
      light[plane] =
        haze +
        (black + (1 - black) * (light[plane] as number)) * ((tables[plane] as Float32Array)[at] as number);
  };
}

export type Dots = {
  pitch: number;
  turn: number;
  shape: 'dots' | 'lines';
  /** How much larger a dot is on paper than it should be. */
  gain: number;
  colours: boolean;
};

const levels = 64;
/** The turn of the rows of cyan, magenta, yellow and black, in degrees, so that they make rosettes and no other pattern. */
const inkTurns = [15, 75, 0, 45] as const;
/** What each ink leaves of red, green and blue. */
const inks = [
  [0.05, 0.62, 0.85],
  [0.82, 0.1, 0.4],
  [0.93, 0.86, 0.1],
  [0.04, 0.04, 0.04],
] as const;

/** How much ink a place gets so that, but for `gain`, it is as light as it should be. Black serves what is dark. */
function covers([red, green, blue]: Light, into: number[], colours: boolean, gain: number): void {
  const left = colours
    ? Math.min(1, Math.max(red, green, blue, 0.001) * blackFrom) ** 0.7
    : 0.3 * red + 0.59 * green + 0.11 * blue;
  into[0] = colours ? withGain(1.05 * (1 - red / left), gain) : 0;
  into[1] = colours ? withGain(1.11 * (1 - green / left), gain) : 0;
  into[2] = colours ? withGain(1.11 * (1 - blue / left), gain) : 0;
  into[3] = withGain(1.04 * (1 - left), gain);
}

/** What is darker than one part in so many gets black ink. */
const blackFrom = 1.6;

function withGain(wanted: number, gain: number): number {
  const cover = Math.min(Math.max(wanted, 0), 1);
  return cover + 4 * gain * cover * (1 - cover);
}

/** Ink in dots or lines, the larger the darker, each ink in rows of its own direction. */
export function inDots(
  { pitch, turn, shape, gain, colours }: Dots,
  spread: number,
  random: () => number,
): Surface {
  const wave = table(
    (x, y) => Math.cos(2 * Math.PI * x) + (shape === 'lines' ? 0.15 : 1) * Math.cos(2 * Math.PI * y),
  );
  const sorted = wave.toSorted();
  const tables = Array.from({ length: levels + 1 }, (_, level) => {
    const least = sorted[Math.round((1 - level / levels) * (sorted.length - 1))] as number;
    return behindLens(
      wave.map((each) => (level > 0 && each >= least ? 1 : 0)),
      spread / pitch,
    );
  });
  const rows = inkTurns.map((own) => {
    const angle = turn + (own * Math.PI) / 180;
    return [Math.cos(angle) / pitch, Math.sin(angle) / pitch, random()] as const;
  });
  const cover = [0, 0, 0, 0];
  return (light, across, down) => {
    covers(light, cover, colours, gain);
    light.fill(0.86);
    for (let ink = 0; ink < 4; ink++) {
      const [cos, sin, shift] = rows[ink] as readonly [number, number, number];
      const place = phase(down * cos - across * sin + shift) * cell + phase(across * cos + down * sin);
      const level = Math.round((cover[ink] as number) * levels);
      lay(light, ink, (tables[level] as Float32Array)[place] as number);
    }
  };
}

function lay(light: Light, ink: number, share: number): void {
  const left = inks[ink] as readonly [number, number, number];
  for (let plane = 0; plane < 3; plane++)
    light[plane] = (light[plane] as number) * (1 - share + share * (left[plane] as number));
}

export type Drops = {
  /** The distance of drops. */
  drop: number;
  /** The turn of the chance against the document, in radians. */
  turn: number;
  /** How much is left to chance: a printer spreads its drops evenly. */
  chance: number;
  gain: number;
  colours: boolean;
};

/** Ink in drops by chance, as an ink-jet lays them. They make no lattice. */
export function inDrops({ drop, turn, chance, gain, colours }: Drops, spread: number): Surface {
  const cover = [0, 0, 0, 0];
  // The lens shows nothing that is finer than its spread.
  const grain = Math.hypot(drop, 2 * spread);
  // A pixel sees some drops, so chance counts less the more there are.
  const depth = Math.min(1, drop / (2 * spread + drop));
  const [cos, sin] = [Math.cos(turn) / grain, Math.sin(turn) / grain];
  return (light, across, down) => {
    covers(light, cover, colours, gain);
    light.fill(0.86);
    const [x, y] = [across * cos + down * sin, down * cos - across * sin];
    for (let ink = 0; ink < 4; ink++) {
      const share = cover[ink] as number;
      if (share === 0) continue;
      const more = 3.4 * chance * depth * evenGrainAt(x, y, ink) * Math.sqrt(share * (1 - share));
      lay(light, ink, Math.min(Math.max(share + more, 0), 1));
    }
  };
}

/** Chance around 0 that is as strong between whole places as on them, so that its strength makes no lattice. */
function evenGrainAt(x: number, y: number, seed: number): number {
  const [right, down] = [x - Math.floor(x), y - Math.floor(y)];
  const left = Math.sqrt((1 - 2 * right * (1 - right)) * (1 - 2 * down * (1 - down)));
  return (grainAt(x, y, seed) - 0.5) / left;
}

/** A number from 0 to 1 by chance for each whole place, and between them for the others. */
export function grainAt(x: number, y: number, seed: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  return (
    (chanceAt(left, top, seed) * (1 - right) + chanceAt(left + 1, top, seed) * right) * (1 - down) +
    (chanceAt(left, top + 1, seed) * (1 - right) + chanceAt(left + 1, top + 1, seed) * right) * down
  );
}

function chanceAt(x: number, y: number, seed: number): number {
  let mixed = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}
