import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { pictureForm } from '#test/support/people/picture.ts';
import { randomOf } from '#test/support/specimens/field/kept.ts';
import { zoneKinds, zonePictures } from '#test/support/specimens/field/zones.ts';
import { faces } from '#test/support/specimens/looks/scenes.ts';
import { quantile } from '../parts/figures.ts';
import { allMasked, type HostedPerson, hostedPersons, type Photo } from '../parts/person.ts';
import { startProduct } from '../parts/product.ts';
import { runBench, say, sayMachine } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';

/**
 * Measures how long one person waits for the answer about each picture, with the real programs and nobody else there:
 * node test/bench/pages/answers.ts [--persons 20] [--aims-ms 4000] [--limit-ms 1000]
 * The persons come one after the other, each with a document of their own in a hand. Half of them send what the camera of the page takes,
 * and half a file of twelve million pixels, as phones make them. Exit code 1: the 95th percentile is above the limit.
 */
const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '20' },
    'aims-ms': { type: 'string', default: '4000' },
    'limit-ms': { type: 'string', default: '1000' },
  },
});
const [persons, aimsMs] = [Number(values.persons), Number(values['aims-ms'])];
const limitMs = Number(values['limit-ms']);

/** The sides of a phone's photo, in pixels. */
const phone = { width: 4032, height: 3024 } as const;

type Size = 'from the camera of the page' | 'a file of 12 million pixels';
type Shot = { kind: string; size: Size; photo: Photo };

async function shotsOf(index: number): Promise<Shot[]> {
  const size: Size = index % 2 === 0 ? 'from the camera of the page' : 'a file of 12 million pixels';
  const kind = zoneKinds[index % zoneKinds.length] ?? 'on its side';
  const { front, back } = await zonePictures(kind, randomOf(77, 0, index));
  const sized = async (jpeg: Buffer) =>
    size === 'from the camera of the page'
      ? jpeg
      : sharp(jpeg).resize(phone).jpeg({ quality: 92 }).toBuffer();
  const shot = async (of: string, jpeg: Buffer): Promise<Shot> => ({
    ...{ kind: of, size },
    photo: await pictureForm(await sized(jpeg), `${of}.jpg`),
  });
  return [
    ...(back === null
      ? [await shot('passport_page', front)]
      : [await shot('card_front', front), await shot('card_back', back)]),
    await shot('selfie', await faces([500 + 10 * index])),
  ];
}

type Waited = Omit<Shot, 'photo'> & { tookMs: number; again: boolean };

async function walked(person: HostedPerson, shots: readonly Shot[]): Promise<Waited[]> {
  const waits: Waited[] = [];
  await person.start();
  for (const { kind, size, photo } of shots) {
    await pause(aimsMs);
    const { tookMs, location } = await person.hand(kind, photo);
    waits.push({ kind, size, tookMs, again: location.includes('take=') });
  }
  if (shots.some(({ kind }) => kind === 'selfie')) await person.goWithoutMovements();
  await person.send();
  await person.waitForVerdict();
  return waits;
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(2);

function sayGroup(name: string, waits: readonly Waited[]): void {
  const times = waits.map(({ tookMs }) => tookMs);
  const [half, most, all] = [0.5, 0.95, 1].map((share) => inSeconds(quantile(times, share)));
  const again = waits.filter((wait) => wait.again).length;
  say(
    `${name}: ${times.length} answers, p50 ${half} s, p95 ${most} s, at most ${all} s; asked again ${again}`,
  );
}

async function measure(): Promise<void> {
  sayMachine();
  const walks = await Promise.all(Array.from({ length: persons }, (_, index) => shotsOf(index)));
  const product = await startProduct(await startSetting('answers'));
  const partner = await product.partner('Acme', [], 'live');
  const personOf = hostedPersons(product.url);
  const waits: Waited[] = [];
  for (const shots of walks) {
    waits.push(...(await walked(personOf(await partner.invite('document_liveness')), shots)));
    await allMasked(product);
  }
  for (const [name, group] of Map.groupBy(waits, ({ kind, size }) => `${kind}, ${size}`))
    sayGroup(name, group);
  sayGroup('all', waits);
  sayMachine();
  if (
    quantile(
      waits.map(({ tookMs }) => tookMs),
      0.95,
    ) > limitMs
  )
    process.exitCode = 1;
}

await runBench(measure);
