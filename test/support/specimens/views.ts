import sharp from 'sharp';
import { drawn } from './card.ts';
import { eriksson } from './people.ts';
import { photograph, type Variant } from './photograph.ts';

const aspects = { id1: 85.6 / 54, id3: 125 / 88 } as const;
const margin = 0.125;
/** The share of the picture's width that the frame takes, as on a computer's screen. */
const frameShare = 0.75;

/** A photograph of a specimen, as the live camera sees it in its frame. */
export async function seen(shape: keyof typeof aspects, variant: Variant) {
  const { front } = drawn({ format: shape === 'id1' ? 'TD1' : 'TD3', person: eriksson });
  return viewOf(
    await photograph(front, variant),
    aspects[shape],
    shape === 'id1' ? [0.3, 0.6] : [0.75, 0.95],
  );
}

/** The two small grey pictures that the script of the page takes of a picture of the camera, and the place of the frame in the first. */
export async function viewOf(picture: Buffer, aspect: number, [from, to]: readonly [number, number]) {
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const wide = Math.min(width * frameShare, height * 0.9 * aspect);
  const high = wide / aspect;
  const [left, top] = [(width - wide) / 2, (height - high) / 2];
  const outer = {
    left: Math.round(Math.max(0, left - wide * margin)),
    top: Math.round(Math.max(0, top - high * margin)),
    right: Math.round(Math.min(width, left + wide * (1 + margin))),
    bottom: Math.round(Math.min(height, top + high * (1 + margin))),
  };
  const view = await grey(
    picture,
    { ...outer, width: outer.right - outer.left, height: outer.bottom - outer.top },
    160,
  );
  const scale = 160 / (outer.right - outer.left);
  const strip = { left: Math.round(left), top: Math.round(top + high * from) };
  return {
    view,
    frame: {
      left: Math.round((left - outer.left) * scale),
      top: Math.round((top - outer.top) * scale),
      right: Math.round((left + wide - outer.left) * scale),
      bottom: Math.round((top + high - outer.top) * scale),
    },
    strip: await grey(
      picture,
      { ...strip, width: Math.round(wide), height: Math.round(high * (to - from)) },
      480,
    ),
    before: undefined,
  };
}

async function grey(
  picture: Buffer,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  side: number,
) {
  const { data, info } = await sharp(picture)
    .extract({ left, top, width, height })
    .resize({ width: side, kernel: 'linear' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}
