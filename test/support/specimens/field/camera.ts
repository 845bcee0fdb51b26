import sharp from 'sharp';
import { type Drawing, perMm } from '../bsn/draw.ts';
import { randomFrom } from '../photograph.ts';

/** A camera in a hand, and what lies before it. Angles are in degrees, lengths in millimetres. */
export type Scene = {
  pieces: Piece[];
  /** The turn about the long edge, about the short edge, and in the plane of the picture. */
  pitch?: number;
  yaw?: number;
  roll?: number;
  /** The share of the picture's width that the first piece takes. */
  share?: number;
  /** How high the middle of the page stands above its ends. */
  bend?: number;
  blur?: number;
  noise?: number;
  quality?: number;
  surface?: Surface;
  seed?: number;
};

/** A sheet on the table, with its middle at this place. */
export type Piece = { drawing: Drawing; x: number; y: number; turn?: number };

/**
 * What the pieces are, if not documents themselves: their picture on a screen, a copy in toner, or a print in dots. `pitch` is the distance
 * of the screen's pixels or of the dots, and `turn` the direction of their rows. `contrast` is how dark the gaps between pixels are, from 0
 * to 1. `steep` is how little of the greys a copier leaves: a small number leaves black and white.
 */
export type Surface =
  | { kind: 'screen'; pitch: number; turn: number; contrast: number }
  | { kind: 'copy'; steep: number }
  | { kind: 'print'; pitch: number; turn: number; colours: boolean };

const size = { width: 1920, height: 1440 } as const;
/** The focal length in pixels of a phone's main camera: 65 degrees of view across the width. */
const focal = 1500;

/** Takes a photograph. The same scene makes the same picture. */
export async function take(scene: Scene): Promise<Buffer> {
  const { blur = 0.6, noise = 2, quality = 90, seed = 1 } = scene;
  const cast = randomFrom(seed + 17);
  const pixels = exposed(scene, Array.from({ length: 3 }, () => 0.96 + 0.08 * cast()) as Colour);
  const raw = { raw: { ...size, channels: 3 as const } };
  const seen = await sharp(pixels, raw).blur(Math.max(blur, 0.3)).raw().toBuffer();
  const random = randomFrom(seed);
  for (let i = 0; i < seen.length; i += 3) {
    const grain = 2 * noise * (random() + random() + random() - 1.5);
    for (let plane = 0; plane < 3; plane++)
      seen[i + plane] = within((seen[i + plane] ?? 0) + grain + noise * (cast() - 0.5));
  }
  return sharp(seen, raw).jpeg({ quality }).toBuffer();
}

const within = (value: number) => Math.min(255, Math.max(0, value));

type Colour = [red: number, green: number, blue: number];

/** `cast` is the colour of the light. */
function exposed(scene: Scene, cast: Colour): Uint8Array {
  const { toTable, perPixel } = viewOf(scene);
  const inks = scene.pieces.map(inkOf);
  const light = lightOf(scene.surface, perPixel);
  const pixels = new Uint8Array(3 * size.width * size.height);
  const colour: Colour = [0, 0, 0];
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const [across, down] = toTable(x + 0.5 - size.width / 2, y + 0.5 - size.height / 2);
      colour.fill(92 + 8 * Math.sin(across * 2 + down / 25));
      for (const ink of inks) if (ink(across, down, colour)) light(colour, across, down, x, y);
      for (let plane = 0; plane < 3; plane++)
        pixels[3 * (y * size.width + x) + plane] = within(
          (colour[plane] ?? 0) * (cast[plane] ?? 1) * (0.92 + (0.12 * x) / size.width),
        );
    }
  return pixels;
}

/**
 * The map from a pixel, counted from the middle of the picture, to the place on the table in millimetres, and how many millimetres a pixel
 * sees there.
 */
function viewOf({ pieces, pitch = 0, yaw = 0, roll = 0, share = 0.72, bend = 0 }: Scene) {
  const wide = (pieces[0]?.drawing.width ?? perMm) / perMm;
  const high = (pieces[0]?.drawing.height ?? perMm) / perMm;
  const lies = Math.abs(Math.sin(radians(roll))) > 0.7;
  const most = 0.9 * size.height * (lies ? 1 : wide / high);
  const distance = (focal * wide) / Math.min(size.width * share, most);
  const [axisX, axisY, axisZ] = axesOf(radians(pitch), radians(yaw), radians(roll));
  // The camera's place, and the direction of a pixel, as the page sees them.
  const eye = [-distance * axisX[2], -distance * axisY[2], -distance * axisZ[2]] as const;
  const toTable = (u: number, v: number): readonly [number, number] => {
    const toward = (axis: Axis) => axis[0] * u + axis[1] * v + axis[2] * focal;
    const [right, down, away] = [toward(axisX), toward(axisY), toward(axisZ)];
    let place: readonly [number, number] = [0, 0];
    // A bent page is nearer in its middle. Where a ray meets it is found in few steps, since pages bend little.
    for (let round = 0, depth = 0; round < (bend === 0 ? 1 : 4); round++) {
      const way = (depth - eye[2]) / away;
      place = [eye[0] + way * right, eye[1] + way * down];
      depth = -bend * (1 - ((2 * place[0]) / wide) ** 2);
    }
    return place;
  };
  return { toTable, perPixel: distance / focal };
}

type Axis = readonly [number, number, number];

/** The axes of a page, each as the camera sees it. Angles are in radians. */
export function axesOf(pitch: number, yaw: number, roll: number): readonly [Axis, Axis, Axis] {
  const turned = ([x, y, z]: Axis): Axis => {
    const [yawed, far] = [x * Math.cos(yaw) + z * Math.sin(yaw), z * Math.cos(yaw) - x * Math.sin(yaw)];
    const [level, deep] = [
      y * Math.cos(pitch) - far * Math.sin(pitch),
      far * Math.cos(pitch) + y * Math.sin(pitch),
    ];
    return [
      yawed * Math.cos(roll) - level * Math.sin(roll),
      yawed * Math.sin(roll) + level * Math.cos(roll),
      deep,
    ];
  };
  return [turned([1, 0, 0]), turned([0, 1, 0]), turned([0, 0, 1])];
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Puts the colour of a piece at a place of the table into `into`. Returns false beside it. */
function inkOf({ drawing, x, y, turn = 0 }: Piece): (across: number, down: number, into: Colour) => boolean {
  const { pixels, width, height } = drawing;
  const [cos, sin] = [Math.cos(radians(turn)), Math.sin(radians(turn))];
  return (across, down, into) => {
    const [right, below] = [across - x, down - y];
    const column = (right * cos + below * sin) * perMm + width / 2;
    const row = (below * cos - right * sin) * perMm + height / 2;
    if (column < 1 || row < 1 || column >= width - 2 || row >= height - 2) return false;
    const [left, top] = [Math.floor(column), Math.floor(row)];
    const [part, lower] = [column - left, row - top];
    for (let plane = 0; plane < 3; plane++) {
      const at = 3 * (top * width + left) + plane;
      const [a = 0, b = 0, c = 0, d = 0] = [
        pixels[at],
        pixels[at + 3],
        pixels[at + 3 * width],
        pixels[at + 3 * width + 3],
      ];
      into[plane] = (a * (1 - part) + b * part) * (1 - lower) + (c * (1 - part) + d * part) * lower;
    }
    return true;
  };
}

/** Changes a colour to what is seen of it. */
type Light = (colour: Colour, across: number, down: number, x: number, y: number) => void;

function lightOf(surface: Surface | undefined, perPixel: number): Light {
  if (surface?.kind === 'screen') return screenLight(surface, perPixel);
  if (surface?.kind === 'copy') return copyLight(surface.steep);
  return surface?.kind === 'print' ? printLight(surface, perPixel) : () => undefined;
}

/** The spread of a lens, in pixels. */
const lens = 0.4;

/** How much of a pattern of this pitch is left behind the lens and within a pixel of the camera, which sees so many millimetres. */
function leftOf(pitch: number, perPixel: number): number {
  const cycles = perPixel / pitch;
  const pixel = Math.sin(Math.PI * cycles) / (Math.PI * cycles);
  return Math.abs(pixel) * Math.exp(-2 * (Math.PI * cycles * lens) ** 2);
}

/** The pixels of a screen have a red, a green and a blue stripe, and gaps between their rows. The screen shines, and has a glare. */
function screenLight(
  { pitch, turn, contrast }: Extract<Surface, { kind: 'screen' }>,
  perPixel: number,
): Light {
  const depth = contrast * leftOf(pitch, perPixel);
  const [cos, sin] = [Math.cos(radians(turn)), Math.sin(radians(turn))];
  return (colour, across, down, x, y) => {
    const column = (2 * Math.PI * (across * cos + down * sin)) / pitch;
    const row = (2 * Math.PI * (down * cos - across * sin)) / pitch;
    const glare = 28 * Math.exp(-(((x - 1300) / 500) ** 2) - ((y - 300) / 260) ** 2);
    for (let plane = 0; plane < 3; plane++) {
      const stripe = Math.cos(column + (2 * Math.PI * plane) / 3);
      const shown = (colour[plane] ?? 0) * (1 + depth * (stripe + 0.6 * Math.cos(row)));
      colour[plane] = 18 + 0.8 * shown + glare;
    }
  };
}

/** Toner on white paper, with specks. */
const copyLight =
  (steep: number): Light =>
  (colour, across, down) => {
    const speck = Math.sin(across * 913.7 + down * 411.3) * 43_758.5453;
    const toner = 255 / (1 + Math.exp(-(greyOf(colour) - 150) / steep));
    colour.fill(20 + 0.86 * toner + (speck - Math.floor(speck) > 0.985 ? -70 : 0));
  };

const greyOf = ([red, green, blue]: Colour) => 0.299 * red + 0.587 * green + 0.114 * blue;

/** The turn of the dots of each ink against the others, so that they make no pattern. */
const inkTurns = [15, 75, 0] as const;

/** Ink in dots, the larger the darker, each ink in rows of its own direction. */
function printLight({ pitch, turn, colours }: Extract<Surface, { kind: 'print' }>, perPixel: number): Light {
  const left = leftOf(pitch, perPixel);
  const rows = inkTurns.map((own) => {
    const angle = radians(turn + (colours ? own : 0));
    return [(2 * Math.PI * Math.cos(angle)) / pitch, (2 * Math.PI * Math.sin(angle)) / pitch] as const;
  });
  return (colour, across, down) => {
    if (!colours) colour.fill(greyOf(colour));
    rows.forEach(([cos, sin], plane) => {
      const cover = 1 - (colour[plane] ?? 0) / 255;
      const dot = Math.cos(across * cos + down * sin) + Math.cos(down * cos - across * sin);
      colour[plane] = 250 * (1 - cover - 0.3 * left * Math.sin(Math.PI * cover) * dot);
    });
  };
}
