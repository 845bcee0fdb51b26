import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Drawing } from '../bsn/draw.ts';
import { randomOf } from '../field/kept.ts';
import { type Drawn, kindNames, kinds, newPage } from './kinds.ts';
import { type Place, placeOf, seenOf, shotOf } from './scene.ts';

/** The longest side, in pixels, and the quality of what the camera page sends. */
const sent = { side: 2400, quality: 92 } as const;

/** A picture as it is sent, where the document is in it, and how large a pixel of a screen is seen. Pictures that the folder has stay. */
export async function picture(
  into: string,
  seed: number,
  kind: string,
  index: number,
): Promise<{ upload: Buffer; place: Place; seen: number | undefined }> {
  const scene = await (kinds[kind] ?? raise(kind))(
    randomOf(seed, kindNames.indexOf(kind), index),
    pagesOf(seed),
  );
  const [place, seen] = [placeOf(scene), seenOf(scene)];
  await mkdir(into, { recursive: true });
  const file = join(into, `${seed}-${kindNames.indexOf(kind)}-${index}.jpg`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined) return { upload: kept, place, seen };
  const upload = await sharp(await shotOf(scene))
    .resize({ width: sent.side, height: sent.side, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: sent.quality })
    .toBuffer();
  await writeFile(file, upload);
  return { upload, place, seen };
}

/** So many pages are drawn for a seed. A page takes as long to draw as what a camera sees of it. */
const pagesCount = 60;
const pages = new Map<string, Drawing>();

export const pagesOf =
  (seed: number): Drawn =>
  async (random) => {
    const number = Math.floor(random() * pagesCount);
    const name = `${seed}-${number}`;
    const page = pages.get(name) ?? (await newPage(randomOf(seed, kindNames.length, number)));
    pages.set(name, page);
    return page;
  };

function raise(name: string): never {
  throw new Error(`There is no kind ${name}`);
}
