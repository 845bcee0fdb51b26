import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { randomOf } from '#test/support/specimens/field/kept.ts';
import type { Random } from '#test/support/specimens/field/people.ts';
import { pagesOf } from '#test/support/specimens/recapture/draw.ts';
import { kindNames, kinds } from '#test/support/specimens/recapture/kinds.ts';
import { type Part, type Place, placeOf, shotOf } from '#test/support/specimens/recapture/scene.ts';

/**
 * Draws what the network of recaptures is trained on, parts of pictures that lie on the document, as the product gets them:
 * node test/training/recapture/draw.ts --count 100 --seed 11 --into FOLDER
 *
 * Of documents themselves it draws as many as of all other kinds together. A run goes on where the last one ended.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '11' },
    into: { type: 'string' },
  },
});
const { into } = values;
if (into === undefined) throw new Error('Say where to keep the pictures: --into FOLDER');
const seed = Number(values.seed);
const others = kindNames.length - 1;

/** The size of a part, in pixels of what the product gets. */
const size = { width: 704, height: 512 } as const;
/** The longest side of what the camera page sends, and the qualities of its JPEG and of the product's. */
const sent = { side: 2400, qualities: [92, 88] } as const;

const pageOf = pagesOf(seed);
await mkdir(into, { recursive: true });
for (let index = 0; index < Number(values.count); index++)
  for (const [kind, name] of kindNames.entries())
    for (let turn = 0; turn < (kind === 0 ? others : 1); turn++) {
      const file = join(into, `${seed}-${kind}-${index * (kind === 0 ? others : 1) + turn}.jpg`);
      if (await stat(file).catch(() => undefined)) continue;
      const random = randomOf(seed, kind, index * others + turn);
      const scene = await (kinds[name] ?? raise(name))(random, pageOf);
      const place = placeOf(scene);
      const scale = Math.min(1, sent.side / Math.max(place.width, place.height));
      const upload = await sharp(await shotOf(scene, partOf(place, scale, random)))
        .resize(size.width, size.height)
        .jpeg({ quality: sent.qualities[0] })
        .toBuffer();
      await sharp(upload).jpeg({ quality: sent.qualities[1] }).toFile(file);
    }

/** A part by chance whose corners are on the document. If none fits, the one in its middle. */
function partOf({ width, height, area, isOn }: Place, scale: number, random: Random): Part {
  const wide = Math.round(size.width / scale / 2) * 2;
  const high = Math.round(size.height / scale / 2) * 2;
  const even = (value: number, most: number) => 2 * Math.round(Math.min(Math.max(value, 0), most) / 2);
  const at = (right: number, down: number): Part => ({
    left: even(area.left + right * (area.right - area.left - wide), width - wide - 1),
    top: even(area.top + down * (area.bottom - area.top - high), height - high - 1),
    width: wide,
    height: high,
  });
  for (let attempt = 0; attempt < 100; attempt++) {
    const part = at(random(), random());
    const corners = [0, 1].flatMap((right) =>
      [0, 1].map((down) => [part.left + right * wide, part.top + down * high] as const),
    );
    if (corners.every(([x, y]) => isOn(x, y))) return part;
  }
  return at(0.5, 0.5);
}

function raise(name: string): never {
  throw new Error(`There is no kind ${name}`);
}
