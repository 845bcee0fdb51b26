import sharp from 'sharp';
import { inventedFace } from '../with-portrait.ts';

const size = { width: 1600, height: 1200 } as const;
const plain = (background: string) => sharp({ create: { ...size, channels: 3, background } });

export const noise = (): Promise<Buffer> =>
  sharp({
    create: {
      ...{ ...size, channels: 3, background: 'white' },
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();

export const blank = (): Promise<Buffer> => plain('#f4f2ee').jpeg().toBuffer();

/** A wall with a structure, lit from one side. */
export const wall = (): Promise<Buffer> =>
  drawnBy((x, y) => 170 + 25 * Math.sin(x / 3) * Math.sin(y / 4) - x / 30);

export const gradient = (): Promise<Buffer> => drawnBy((x, y) => 60 + x / 12 + y / 20);

function drawnBy(greyAt: (x: number, y: number) => number): Promise<Buffer> {
  const pixels = Buffer.alloc(size.width * size.height);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) pixels[y * size.width + x] = greyAt(x, y);
  return sharp(pixels, { raw: { ...size, channels: 1 } })
    .jpeg()
    .toBuffer();
}

/** Invented faces beside each other, each so many pixels wide. */
export async function faces(widths: readonly number[]): Promise<Buffer> {
  const parts = [];
  let left = 40;
  for (const wide of widths) {
    const width = Math.round(Math.min(wide, (size.height * 350) / 450));
    parts.push({ input: await sharp(inventedFace).resize({ width }).png().toBuffer(), left, top: 0 });
    left += width + 40;
  }
  return plain('#b8c0c8').composite(parts).jpeg().toBuffer();
}

/** An invented face that is held so close that it fills the picture. */
export const closeFace = async (): Promise<Buffer> =>
  sharp(await sharp(inventedFace).resize({ width: 1400, height: 1800 }).flatten().toBuffer())
    .extract({ left: 175, top: 369, width: 1050, height: 1350 })
    .jpeg()
    .toBuffer();
