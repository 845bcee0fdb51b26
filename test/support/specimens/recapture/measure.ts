import { parseArgs } from 'node:util';
import { picture } from './draw.ts';
import { kindNames } from './kinds.ts';

/**
 * Measures how often a picture of a screen, a print or a copy is told from one of a document, without reading it, and prints the table of
 * docs/choices/checks.md:
 * node test/support/specimens/recapture/measure.ts --count 40 --documents 160 --seed 2 --into FOLDER
 *
 * The folder keeps the pictures, so a run goes on where the last one ended. A picture takes some seconds to draw.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    documents: { type: 'string', default: '160' },
    seed: { type: 'string', default: '2' },
    into: { type: 'string' },
  },
});
const { into } = values;
if (into === undefined) throw new Error('Say where to keep the pictures: --into FOLDER');

/** A screen whose pixels the camera sees as so many of its own, or more, should be found. */
const seenMin = 1.5;

const drawn = [];
for (const kind of kindNames)
  for (let index = 0; index < Number(kind === 'document' ? values.documents : values.count); index++)
    drawn.push({ kind, ...(await picture(into, Number(values.seed), kind, index)) });

// What takes and examines pictures blocks decoders that the drawings need, so it comes after them.
const { takePicture } = await import('#platform/pictures/redraw.ts');
const { decodedSide } = await import('#activities/checks/document/recapture/decoded-side.ts');
const { mayBeRecaptured } = await import('#activities/checks/document/recapture/recapture.ts');
const { openRecaptureNetwork } = await import('#activities/checks/document/recapture/recapture-network.ts');
const network = await openRecaptureNetwork();

type Row = { taken: number; doubt: number };
const rows = new Map<string, Row>();
const tookMs: number[] = [];
for (const { kind, upload, place, seen } of drawn) {
  const taken = await takePicture(upload, 'document');
  if ('fault' in taken) continue;
  const side = await decodedSide(taken.jpeg);
  if (side === undefined) continue;
  const scale = side.grey.width / place.width;
  const { left, top, right, bottom } = place.area;
  const area = { left: left * scale, top: top * scale, right: right * scale, bottom: bottom * scale };
  const before = process.cpuUsage();
  const isInDoubt = await mayBeRecaptured(side, area, (x, y) => place.isOn(x / scale, y / scale), network);
  const { user, system } = process.cpuUsage(before);
  tookMs.push((user + system) / 1000);
  count(kind, isInDoubt);
  if (kind !== 'document') count('all screens, prints and copies', isInDoubt);
  if (seen !== undefined)
    count(`any screen, ${seen >= seenMin ? 'at least' : 'below'} ${seenMin} pixels`, isInDoubt);
}
console.log('| Kind | in doubt | rate | 95 % interval |');
console.log('|---|---|---|---|');
for (const [kind, { taken, doubt }] of rows)
  console.log(
    `| ${[kind, `${doubt} of ${taken}`, percent(doubt / taken), intervalOf(doubt, taken)].join(' | ')} |`,
  );
const faults = drawn.length - tookMs.length;
const mean = tookMs.reduce((sum, each) => sum + each, 0) / tookMs.length;
console.log(
  `${drawn.length} pictures, ${faults} of them asked for anew; ${mean.toFixed(0)} ms of a processor each`,
);

function count(kind: string, isInDoubt: boolean): void {
  const row = rows.get(kind) ?? { taken: 0, doubt: 0 };
  rows.set(kind, { taken: row.taken + 1, doubt: row.doubt + Number(isInDoubt) });
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** The interval of Wilson. */
function intervalOf(found: number, all: number): string {
  const [share, z] = [found / all, 1.96];
  const middle = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all);
  const half = (z * Math.sqrt((share * (1 - share)) / all + (z / (2 * all)) ** 2)) / (1 + z ** 2 / all);
  const low = (100 * Math.max(0, middle - half)).toFixed(1);
  return `${low} to ${(100 * Math.min(1, middle + half)).toFixed(1)} %`;
}
