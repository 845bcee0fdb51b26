import { parseArgs } from 'node:util';
import { loadCodeReader } from '#activities/checks/document/masking/codes.ts';
import { loadFaceNetwork } from '#activities/checks/document/masking/face-network.ts';
import { type LookTools, lookAt } from '#activities/checks/document/quick/look.ts';
import { seenIn } from '#activities/checks/document/quick/reduced.ts';
import { warmUp } from '#activities/checks/document/quick/warm-up.ts';
import { loadModels } from '#activities/checks/document/reading/models.ts';
import { loadLandmarks } from '#activities/checks/face/landmarks.ts';
import { textNetworks } from '#activities/checks/networks/text-networks.ts';
import { lookCases } from './cases.ts';

/**
 * Measures what quick looks find, and prints the tables of docs/choices/quick-answers.md:
 * node test/support/specimens/looks/measure.ts --specimens 70 --people 4
 * With --only 'a drawing' it looks at the pictures of that row alone.
 */

const { values } = parseArgs({
  options: {
    specimens: { type: 'string', default: '70' },
    people: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const beforeLoading = process.cpuUsage();
const [models, faces, landmarks] = await Promise.all([
  loadModels(await textNetworks()),
  loadFaceNetwork(),
  loadLandmarks(),
  loadCodeReader(),
]);
const tools: LookTools = { models, faces, landmarks };
await warmUp(tools);
const loading = process.cpuUsage(beforeLoading);

type Row = { found: Map<string, number>; wrong: number; all: number };
const rows = new Map<string, Row>();
const cpuMs: number[] = [];

for await (const { name, expected, kind, jpeg, detail } of lookCases({
  specimens: Number(values.specimens),
  people: Number(values.people),
})) {
  if (values.only !== undefined && values.only !== name) continue;
  const start = process.cpuUsage();
  const seen = await seenIn(jpeg);
  if (seen === undefined) throw new Error(`${name} is no picture`);
  const found = await lookAt(seen, kind, '2026-11-21', tools);
  const { user, system } = process.cpuUsage(start);
  cpuMs.push((user + system) / 1000);
  const row = rows.get(name) ?? { found: new Map(), wrong: 0, all: 0 };
  rows.set(name, row);
  row.all += 1;
  row.found.set(found, (row.found.get(found) ?? 0) + 1);
  if (expected.includes(found)) continue;
  row.wrong += 1;
  console.error(`${name}: ${found} for ${detail}`);
}

console.log('| Picture | found | as it should be |');
console.log('|---|---|---|');
for (const [name, { found, wrong, all }] of rows) {
  const counts = [...found].map(([look, count]) => `\`${look}\` ${count}`).join(', ');
  console.log(`| ${name} | ${counts} | ${all - wrong} of ${all} |`);
}
const sorted = cpuMs.toSorted((a, b) => a - b);
const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
console.log(
  `${sorted.length} pictures, processor time: half within ${at(0.5)} ms, 95 % within ${at(0.95)} ms`,
);
console.log(`memory: ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
console.log(`before the first picture: ${Math.round((loading.user + loading.system) / 1000)} ms`);
process.exit();
