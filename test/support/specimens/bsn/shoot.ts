import sharp from 'sharp';
import { type Corners, mapping, type Point, randomFrom } from '../photograph.ts';
import type { Drawing } from './draw.ts';

/** A photograph in colour. `turn` is a multiple of 90 degrees, and `tilt` is added to it. See `Variant` for the other values. */
export type Shot = {
  turn?: number;
  tilt?: number;
  recede?: number;
  share?: number;
  blur?: number;
  light?: number;
  noise?: number;
  lamp?: Point;
  quality?: number;
  grey?: boolean;
};

const size = { width: 1600, height: 1200 } as const;

export async function shoot(sheet: Drawing, shot: Shot): Promise<Buffer> {
  const { blur = 0, light = 1, noise = 2, quality = 90, grey = false } = shot;
  const lens = sharp(sceneOf(sheet, shot), { raw: { ...size, channels: 3 } });
  const seen = await (blur > 0 ? lens.blur(blur) : lens).raw().toBuffer();
  const random = randomFrom(7);
  for (let i = 0; i < seen.length; i++) {
    const value = (seen[i] ?? 0) * light + noise * (random() + random() + random() - 1.5) * 2;
    seen[i] = Math.min(255, Math.max(0, value));
  }
  const picture = sharp(seen, { raw: { ...size, channels: 3 } });
  return (grey ? picture.greyscale() : picture).jpeg({ quality }).toBuffer();
}

/** Returns the place on the sheet of a place in its photograph. */
export const placeOn = (sheet: Drawing, shot: Shot): ((x: number, y: number) => [number, number]) =>
  mapping(cornersOf(sheet, shot), [
    [0, 0],
    [sheet.width, 0],
    [sheet.width, sheet.height],
    [0, sheet.height],
  ]);

/** The document on a table, with more light to the right and the reflection of a lamp. */
function sceneOf(sheet: Drawing, shot: Shot): Buffer {
  const toSheet = placeOn(sheet, shot);
  const scene = Buffer.alloc(size.width * size.height * 3);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const [across, down] = toSheet(x + 0.5, y + 0.5);
      const isOn = across >= 1 && down >= 1 && across < sheet.width - 2 && down < sheet.height - 2;
      const table = 92 + 8 * Math.sin(x / 5 + y / 300);
      const shine = shineAt(x, y, shot.lamp);
      for (let plane = 0; plane < 3; plane++) {
        const surface = isOn ? between(sheet, across - 0.5, down - 0.5, plane) : table;
        const value = surface * (0.92 + (0.12 * x) / size.width) + shine;
        scene[3 * (y * size.width + x) + plane] = Math.min(255, value);
      }
    }
  return scene;
}

function shineAt(x: number, y: number, lamp: Point | undefined): number {
  if (lamp === undefined) return 0;
  const away = Math.hypot(x / size.width - lamp[0], y / size.width - lamp[1] * 0.75);
  return 300 * Math.exp(-((away / 0.05) ** 4));
}

function between({ pixels, width }: Drawing, x: number, y: number, plane: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, down] = [x - left, y - top];
  const first = 3 * (top * width + left) + plane;
  const upper = (pixels[first] ?? 0) * (1 - right) + (pixels[first + 3] ?? 0) * right;
  const lower = (pixels[first + 3 * width] ?? 0) * (1 - right) + (pixels[first + 3 * width + 3] ?? 0) * right;
  return upper * (1 - down) + lower * down;
}

function cornersOf(sheet: Drawing, { turn = 0, tilt = 0, recede = 0, share = 0.72 }: Shot): Corners {
  const angle = ((turn + tilt) * Math.PI) / 180;
  const isOnSide = Math.abs(Math.sin(angle)) > 0.7;
  const ratio = sheet.height / sheet.width;
  const room = isOnSide ? size.height : Math.min(size.width, (size.height / ratio) * 0.92);
  const wide = room * Math.min(share * 1.15, 0.92);
  const at = (right: number, down: number): Point => {
    const x = right * (wide / 2) * (down < 0 ? 1 - recede : 1);
    const y = down * ((wide * ratio) / 2) * (1 - recede / 2);
    return [
      size.width / 2 + x * Math.cos(angle) - y * Math.sin(angle),
      size.height / 2 + x * Math.sin(angle) + y * Math.cos(angle),
    ];
  };
  return [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)];
}
