import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { type Colour, decodedColour } from '#activities/checks/document/masking/colour.ts';
import type { Face } from '#activities/checks/document/masking/faces.ts';
import { openRecaptureNetwork } from '#activities/checks/document/recapture/recapture-network.ts';
import { recapturedShare, uprightFaces } from '#activities/checks/face/compare.ts';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { recapturedHint } from '#policy/faces.ts';
import type { Drawing } from '../bsn/draw.ts';
import { randomOf } from '../field/kept.ts';
import { kindNames, kinds } from '../recapture/kinds.ts';
import { shotOf } from '../recapture/scene.ts';
import { demonstrationPhotographs } from './demonstration.ts';
import { intervalOfShare } from './statistics.ts';

/**
 * Measures how often a photograph of a face gets the hint that it may show a screen, a print or a copy, and prints the table of
 * docs/choices/faces.md:
 * node test/support/specimens/faces/measure-recaptured.ts --count 24 --seed 5 --into FOLDER [--faces FOLDER]
 *
 * The faces are on the photographs of a folder, by default those that @vladmandic/face-api has for its demonstration. A camera that is
 * simulated takes each of them as if it was the face, and as what a screen shows or a printer printed. Of faces themselves it takes three
 * times as many. The folder keeps the pictures, so a run goes on where the last one ended.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '24' },
    seed: { type: 'string', default: '5' },
    into: { type: 'string' },
    faces: { type: 'string' },
  },
});
const { into, faces: folder } = values;
if (into === undefined) throw new Error('Say where to keep the pictures: --into FOLDER');
const itself = 'document';
/** A smaller face has too little detail. */
const widthMin = 80;
/** A selfie is about so many times as wide as the face. */
const surroundings = 2.4;

const tools = await loadFaceTools();
const [pictures, seed] = [
  await drawings(folder === undefined ? await demonstrationPhotographs() : await photographsIn(folder)),
  Number(values.seed),
];
await mkdir(into, { recursive: true });
const shots: { kind: string; file: string }[] = [];
for (const [number, kind] of kindNames.entries())
  for (let index = 0; index < Number(values.count) * (kind === itself ? 3 : 1); index++)
    shots.push({ kind, file: await taken(kind, number, index) });

// What takes pictures blocks decoders that the photographs need, so it comes after them.
const { takePicture } = await import('#platform/pictures/redraw.ts');
const recapture = await openRecaptureNetwork();

const shares = new Map<string, number[]>();
let [faults, lost] = [0, 0];
for (const { kind, file } of shots) {
  const picture = await takePicture(await readFile(file), 'portrait');
  const colour = 'fault' in picture ? undefined : await decodedColour(picture.jpeg);
  if (colour === undefined) faults += 1;
  const [face] = (colour ? await uprightFaces(colour, tools) : []).toSorted((a, b) => b.width - a.width);
  if (colour !== undefined && face === undefined) lost += 1;
  if (colour === undefined || face === undefined) continue;
  shares.set(kind, [...(shares.get(kind) ?? []), await recapturedShare(colour, face, recapture)]);
}
console.log('| Shown | hints | interval (Wilson, 95 %) |\n|---|---|---|');
for (const kind of kindNames) sayRow(kind === itself ? 'the face itself' : kind, shares.get(kind) ?? []);
sayRow(
  'all screens, prints and copies',
  kindNames.slice(1).flatMap((kind) => shares.get(kind) ?? []),
);
console.log(
  `${shots.length} pictures of ${pictures.length} faces, ${faults} asked for anew, ${lost} without a face`,
);

function sayRow(name: string, all: readonly number[]): void {
  const hints = all.filter((share) => share > recapturedHint.above).length;
  const [low, high] = intervalOfShare(hints, all.length).map((share) => Math.round(100 * share));
  console.log(`| ${name} | ${hints} of ${all.length} | ${low} to ${high} % |`);
}

async function photographsIn(from: string): Promise<string[]> {
  const names = (await readdir(from)).filter((name) => /\.(jpe?g|png)$/.test(name));
  return names.toSorted().map((name) => join(from, name));
}

/** The faces of the photographs, each with its surroundings, and as large as a drawn document. */
async function drawings(files: readonly string[]): Promise<Drawing[]> {
  const all: Drawing[] = [];
  for (const file of files) {
    const photograph = await decodedColour(await readFile(file));
    if (photograph === undefined) continue;
    const faces = await uprightFaces(photograph, tools);
    for (const face of faces.filter(({ width }) => width > widthMin))
      all.push(await cutOut(photograph, face));
  }
  return all;
}

async function cutOut({ pixels, width, height }: Colour, face: Face): Promise<Drawing> {
  const side = Math.floor(Math.min(surroundings * face.width, width, height));
  const [left, top] = [
    Math.round(Math.min(Math.max(face.x - side / 2, 0), width - side)),
    Math.round(Math.min(Math.max(face.y - side / 2, 0), height - side)),
  ];
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .extract({ left, top, width: side, height: side })
    .resize({ width: 1300 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

async function taken(kind: string, number: number, index: number): Promise<string> {
  const file = join(into ?? '', `${seed}-${number}-${index}.jpg`);
  if (await readFile(file).catch(() => undefined)) return file;
  const random = randomOf(seed, number, index);
  const picture = pictures[Math.floor(random() * pictures.length)];
  if (picture === undefined) throw new Error('The folder has no photographs');
  const scene = await kinds[kind]?.(random, async () => picture);
  if (scene === undefined) throw new Error(`There is no kind ${kind}`);
  const face = kind === itself ? { ...scene, surface: () => () => undefined } : scene;
  await writeFile(file, await shotOf({ ...face, lines: [] }));
  return file;
}
