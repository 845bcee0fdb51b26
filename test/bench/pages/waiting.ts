import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pictureForm } from '#test/support/people/picture.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { quantile } from '../parts/figures.ts';
import { allMasked, type HostedPerson, hostedPersons, type Photo } from '../parts/person.ts';
import { startProduct } from '../parts/product.ts';
import { runBench, say, sayMachine } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';

/**
 * Measures how long persons who send a passport at once wait for their verdict, with the real programs:
 * node test/bench/pages/waiting.ts [--persons 10] [--aims-ms 4000] [--reads-ms 5000] [--limit-ms 20000]
 * Each person takes some time for the photo, looks at it for some time, and sends. Then the page is asked every half second. Exit code 1: somebody
 * waited longer than the limit.
 */
const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '10' },
    'aims-ms': { type: 'string', default: '4000' },
    'reads-ms': { type: 'string', default: '5000' },
    'limit-ms': { type: 'string', default: '20000' },
  },
});
const [count, aimsMs, readsMs, limitMs] = [
  Number(values.persons),
  Number(values['aims-ms']),
  Number(values['reads-ms']),
  Number(values['limit-ms']),
];

type Waited = { pictureMs: number; verdictMs: number; told: string[] };

async function walked(person: HostedPerson, photo: Photo): Promise<Waited> {
  await person.start();
  await pause(aimsMs);
  const { tookMs: pictureMs } = await person.hand('passport_page', photo);
  await pause(readsMs);
  const sentMs = performance.now();
  await person.send();
  const told = await person.waitForVerdict();
  return { pictureMs, verdictMs: performance.now() - sentMs, told };
}

async function measure(): Promise<void> {
  sayMachine();
  const product = await startProduct(await startSetting('waiting'));
  const partner = await product.partner('Acme', [], 'live');
  const expiry = new Date(Date.now() + 1_000 * 86_400_000).toISOString().slice(0, 10);
  const { front } = drawn({ format: 'TD3', person: { ...eriksson, expiry } });
  const photo = await pictureForm(await photograph(front), 'passport.jpg');
  const personOf = hostedPersons(product.url);
  const persons: HostedPerson[] = [];
  while (persons.length < count) persons.push(personOf(await partner.invite()));
  say(
    `${count} persons at once, who take ${aimsMs / 1_000} s for their photo and look at it for ${readsMs / 1_000} s`,
  );
  const waits = await Promise.all(persons.map((person) => walked(person, photo)));
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const verdicts = waits.map(({ verdictMs }) => verdictMs).toSorted((a, b) => a - b);
  say(`answer about the photo, s: ${waits.map(({ pictureMs }) => seconds(pictureMs)).join(', ')}`);
  say(`from Send to the verdict, s: ${verdicts.map(seconds).join(', ')}`);
  say(`half within ${seconds(quantile(verdicts, 0.5))} s, all within ${seconds(quantile(verdicts, 1))} s`);
  for (const said of new Set(waits.flatMap(({ told }) => told))) say(`the page said: ${said}`);
  say(`all masked copies stood ${seconds(await allMasked(product))} s after the last verdict`);
  sayMachine();
  if (quantile(verdicts, 1) > limitMs) process.exitCode = 1;
}

await runBench(measure);
