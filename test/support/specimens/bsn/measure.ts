import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { changedShareOf, codesIn, hasTesseract, isReadableIn, textOf } from './judge.ts';
import { bsnSpecimen, type Value, values } from './specimens.ts';
import { coverBoth, maskingTools } from './tools.ts';

/**
 * Masks specimens and says on how many the BSN is readable, and which values that a reviewer needs are covered:
 * node test/support/specimens/bsn/measure.ts review|kept FIRST LAST FOLDER
 * The folder gets a picture of each specimen beside its copy, and the portrait that was cut out. What it has already is not measured again, so a run that was
 * interrupted can go on.
 */

const [use = 'review', first = '0', last = '199', folder = 'build/masked'] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const tools = await maskingTools();
const canJudge = await hasTesseract();

type Result = {
  index: number;
  readable: string[];
  bare: number;
  lost: Value[];
  detected: boolean;
  inDoubt: boolean;
};
const results = async (): Promise<Result[]> => {
  const text = await readFile(join(folder, 'results.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};
/** A value counts as covered if so large a part of it is. */
const lostMin = 0.05;
/** The print of the BSN counts as bare if so large a part of it is: a digit of nine is more. A reader need not have read it. */
const bareMin = 0.05;
const measured = new Set((await results()).map(({ index }) => index));

for (let index = Number(first); index <= Number(last); index++) {
  if (measured.has(index)) continue;
  const specimen = await bsnSpecimen(index);
  const start = process.cpuUsage();
  const { sides, opened, covered, ...found } = await coverBoth(
    specimen,
    { use: use === 'kept' ? 'kept' : 'review', coverPortrait: index % 2 === 0 },
    tools,
  );
  const { user, system } = process.cpuUsage(start);
  const readable: string[] = [];
  const originals = [specimen.front, specimen.back].filter((side) => side !== null);
  let before = false;
  for (const [place, side] of sides.entries()) {
    if (canJudge && isReadableIn(await textOf(side, specimen.degrees), specimen.bsn))
      readable.push(`print ${place}`);
    if ((await codesIn(side)).some((text) => isReadableIn(text, specimen.bsn)))
      readable.push(`code ${place}`);
    const original = originals[place] as Buffer;
    if (canJudge && index % 4 === 0 && isReadableIn(await textOf(original, specimen.degrees), specimen.bsn))
      before = true;
  }
  const numberOn = specimen.printed.on === 'front' ? 0 : 1;
  const [unmasked, masked] = [opened[numberOn], covered[numberOn]];
  const bare = unmasked && masked ? 1 - changedShareOf(unmasked, masked, specimen.printed) : 1;
  const [original, after] = [opened[0], covered[0]];
  const lost =
    original && after
      ? values.filter((value) => changedShareOf(original, after, specimen.values[value]) > lostMin)
      : [];
  const line = {
    index,
    name: specimen.name,
    bsn: specimen.bsn,
    readable,
    bare: Math.round(bare * 1000) / 1000,
    lost,
    ...(index % 4 === 0 ? { before } : {}),
    detected: found.bsnDetected,
    inDoubt: found.inDoubt,
    portrait: found.portrait !== undefined,
    cpuMs: Math.round((user + system) / 1000),
  };
  console.log(JSON.stringify(line));
  if (found.portrait !== undefined)
    await writeFile(join(folder, `${String(index).padStart(3, '0')}-portrait.jpg`), found.portrait);
  const tiles = await Promise.all(
    [...originals, ...sides].map((side) =>
      sharp(side).resize({ width: 800, height: 600, fit: 'contain' }).png().toBuffer(),
    ),
  );
  await sharp({
    create: { width: 800 * originals.length, height: 1200, channels: 3, background: 'white' },
  })
    .composite(
      tiles.map((input, i) => ({
        input,
        left: (i % originals.length) * 800,
        top: i < originals.length ? 0 : 600,
      })),
    )
    .png()
    .toFile(join(folder, `${String(index).padStart(3, '0')}.png`));
  await appendFile(join(folder, 'results.jsonl'), `${JSON.stringify(line)}\n`);
}

const all = await results();
const count = (isCounted: (result: Result) => boolean) => all.filter(isCounted).length;
console.log(
  `${all.length} measured: readable on ${count(({ readable }) => readable.length > 0)},`,
  `its print bare in part on ${count(({ bare }) => bare > bareMin)},`,
  `detected on ${count(({ detected }) => detected)}, in doubt ${count(({ inDoubt }) => inDoubt)}`,
);
for (const value of values) console.log(`${value} covered on ${count(({ lost }) => lost.includes(value))}`);
