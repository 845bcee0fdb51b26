import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Colour, decodedColour } from '#activities/checks/document/masking/colour.ts';
import type { Face } from '#activities/checks/document/masking/faces.ts';
import { portraitOn, uprightFaces } from '#activities/checks/face/compare.ts';
import { describe, distanceOf } from '#activities/checks/face/describe.ts';
import { loadFaceTools } from '#activities/checks/face/tools.ts';
import { faceBands } from '#policy/faces.ts';
import type { Variant } from '../photograph.ts';
import { demonstrationPhotographs } from './demonstration.ts';
import { documentWith } from './portrait.ts';
import { areaUnderCurve, highestShare, intervalOfArea } from './statistics.ts';

/**
 * Measures the comparison of faces, and prints the tables of docs/choices/faces.md:
 * node test/support/specimens/faces/measure.ts
 * It uses the photographs that @vladmandic/face-api has for its demonstration. They stay in node_modules. With `--set FOLDER` it measures
 * photographs of your own instead, in one folder for each person.
 */

const { values } = parseArgs({ options: { set: { type: 'string' } } });
const tools = await loadFaceTools();

type Described = { person: string; picture: string; description: Float32Array };

const variants: Record<string, Variant> = {
  'straight on': {},
  'turned by 12 degrees, out of focus by 1.5 pixels': { turn: 12, blur: 1.5 },
};

async function opened(file: string): Promise<Colour> {
  const picture = await decodedColour(await readFile(file));
  if (picture === undefined) throw new Error(`${file} cannot be opened`);
  return picture;
}

/** The pairs of a list, each once. */
const pairs = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((a, index) => items.slice(index + 1).map((b): [Item, Item] => [a, b]));

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function report(name: string, same: readonly number[], different: readonly number[]): void {
  const passed = different.filter((distance) => distance <= faceBands.passedMax).length;
  const inBands = (distances: readonly number[]) => {
    const to = (max: number) => distances.filter((distance) => distance <= max).length;
    const [passedCount, doubtCount] = [to(faceBands.passedMax), to(faceBands.doubtMax)];
    return `${passedCount} / ${doubtCount - passedCount} / ${distances.length - doubtCount}`;
  };
  console.log(`\n${name}`);
  console.log(`same person: ${same.length} pairs, passed / doubt / failed ${inBands(same)}`);
  console.log(`different people: ${different.length} pairs, passed / doubt / failed ${inBands(different)}`);
  console.log(`nearest different people: ${Math.min(...different).toFixed(3)}`);
  console.log(`passed wrongly: ${passed}, so below ${percent(highestShare(passed, different.length))}`);
  if (same.length === 0) return;
  const [low, high] = intervalOfArea(same, different);
  const area = areaUnderCurve(same, different).toFixed(4);
  console.log(`AUC ${area} (95 %: ${low.toFixed(4)} to ${high.toFixed(4)})`);
}

/** All photographs of a folder that has one folder for each person. Only the widest face of a photograph counts. */
async function describedIn(folder: string): Promise<(Described | undefined)[]> {
  const all: (Described | undefined)[] = [];
  for (const person of await readdir(folder))
    for (const name of await readdir(join(folder, person))) {
      const file = join(folder, person, name);
      const picture = await opened(file);
      const [face] = (await uprightFaces(picture, tools)).toSorted((a, b) => b.width - a.width);
      const description = face && (await describe(picture, face, tools));
      all.push(description && { person, picture: file, description });
    }
  return all;
}

async function measureSet(folder: string): Promise<void> {
  const all = await describedIn(folder);
  const found = all.filter((each) => each !== undefined);
  const distances = (isSame: boolean) =>
    pairs(found)
      .filter(([a, b]) => (a.person === b.person) === isSame)
      .map(([a, b]) => distanceOf(a.description, b.description));
  console.log(`${all.length} photographs, ${all.length - found.length} without a face`);
  report(`The photographs in ${folder}`, distances(true), distances(false));
}

/**
 * Faces on one photograph are of different people. Nobody says which faces on two photographs are of one person, so such pairs are left
 * out. Of one person there is each face and its portrait on a document, which is the same photograph.
 */
async function measureSamples(): Promise<void> {
  const all: Described[] = [];
  const portraits: Record<string, Described[]> = Object.fromEntries(
    Object.keys(variants).map((variant) => [variant, []]),
  );
  let faces = 0;
  for (const file of await demonstrationPhotographs()) {
    const [picture, name] = [await opened(file), basename(file)];
    for (const face of await uprightFaces(picture, tools)) {
      faces += 1;
      const person = `${name} ${faces}`;
      all.push({ person, picture: name, description: await describe(picture, face, tools) });
      for (const [variant, how] of Object.entries(variants)) {
        const found = await onDocument(picture, face, how);
        if (found) portraits[variant]?.push({ person, picture: name, description: found });
      }
    }
  }
  console.log(`${faces} faces`);
  const together = pairs(all).filter(([a, b]) => a.picture === b.picture);
  report(
    'Faces on one photograph',
    [],
    together.map(([a, b]) => distanceOf(a.description, b.description)),
  );
  for (const [variant, found] of Object.entries(portraits)) {
    console.log(`\n${found.length} of ${faces} portraits can be compared`);
    reportPortraits(variant, found, all);
  }
}

/** Compares portraits with the faces of the same photograph: the face that it shows, and those of other people. */
function reportPortraits(
  variant: string,
  portraits: readonly Described[],
  faces: readonly Described[],
): void {
  const distances = (isSame: boolean) =>
    portraits.flatMap((portrait) =>
      faces
        .filter((face) => face.picture === portrait.picture && (face.person === portrait.person) === isSame)
        .map((face) => distanceOf(portrait.description, face.description)),
    );
  report(`Portraits on a document, ${variant}`, distances(true), distances(false));
}

async function onDocument(picture: Colour, face: Face, how: Variant): Promise<Float32Array | undefined> {
  const document = await decodedColour(await documentWith(picture, face, how));
  const portrait = document && (await portraitOn(document, tools));
  return document && typeof portrait === 'object' ? describe(document, portrait, tools) : undefined;
}

await (values.set === undefined ? measureSamples() : measureSet(values.set));
