import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { consented } from '#test/support/people/consented.ts';
import { pictureForm } from '#test/support/people/picture.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';
import { quantile } from '../parts/figures.ts';
import { type Product, startProduct } from '../parts/product.ts';
import { runBench, say, sayMachine, stops } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';

/**
 * Measures how long persons who send a passport at once wait for their verdict, with the real programs:
 * node test/bench/pages/waiting.ts [--persons 10] [--reads-ms 5000] [--limit-ms 20000]
 * Each person takes the photo, looks at the page for some time, and sends. Then the page is asked every half second. Exit code 1: somebody
 * waited longer than the limit.
 */
const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '10' },
    'reads-ms': { type: 'string', default: '5000' },
    'limit-ms': { type: 'string', default: '20000' },
  },
});
const [persons, readsMs, limitMs] = [
  Number(values.persons),
  Number(values['reads-ms']),
  Number(values['limit-ms']),
];

const askEveryMs = 500;
const agent = new Agent({ keepAliveTimeout: 60_000 });
const simpleForm = 'application/x-www-form-urlencoded';

type Form = { body: Buffer | string; type: string };

async function post(url: string, { body, type }: Form): Promise<void> {
  const headers = { 'content-type': type, 'accept-language': 'en' };
  const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 303) throw new Error(`${new URL(url).search} answered ${answer.statusCode}`);
}

async function look(url: string): Promise<string> {
  const answer = await request(url, { dispatcher: agent, headers: { 'accept-language': 'en' } });
  return answer.body.text();
}

type Waited = { pictureMs: number; verdictMs: number; told: string[] };

/** Walks to the end. `told` is what the page said about the wait, as it changed. */
async function walked(link: string, picture: Form): Promise<Waited> {
  await post(`${link}/start?lang=en`, { body: consented, type: simpleForm });
  const tookMs = performance.now();
  await post(`${link}/picture?lang=en&kind=passport_page&source=upload`, picture);
  const pictureMs = performance.now() - tookMs;
  await pause(readsMs);
  const sentMs = performance.now();
  await post(`${link}/submit?lang=en`, { body: formOfSend(await look(link)), type: simpleForm });
  const told: string[] = [];
  for (;;) {
    const page = await look(link);
    if (page.includes('<h1>Done</h1>')) return { pictureMs, verdictMs: performance.now() - sentMs, told };
    const said = />([^<]*(?:usually takes|can take)[^<]*)</.exec(page)?.[1];
    if (said !== undefined && said !== told.at(-1)) told.push(said);
    await pause(askEveryMs);
  }
}

/** How long all masked copies take after the last verdict. Nobody waits for them but reviewers. */
async function copiesMs({ store }: Product): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const left = await store.db
      .selectFrom('evidence')
      .select('kind')
      .where('kind', '=', 'passport_page')
      .limit(1)
      .execute();
    if (left.length === 0) return performance.now() - startedMs;
    await pause(askEveryMs);
  }
}

async function measure(): Promise<void> {
  sayMachine();
  stops.push(() => agent.destroy());
  const product = await startProduct(await startSetting('waiting'));
  const partner = await product.partner('Acme', [], 'live');
  const expiry = new Date(Date.now() + 1_000 * 86_400_000).toISOString().slice(0, 10);
  const { front } = drawn({ format: 'TD3', person: { ...eriksson, expiry } });
  const picture = await pictureForm(await photograph(front), 'passport.jpg');
  const links: string[] = [];
  for (let person = 0; person < persons; person++)
    links.push(`${product.url}${new URL(await partner.invite()).pathname}`);
  say(`${persons} persons at once, who look at their photo for ${readsMs / 1_000} s before they send it`);
  const waits = await Promise.all(links.map((link) => walked(link, picture)));
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const verdicts = waits.map(({ verdictMs }) => verdictMs).toSorted((a, b) => a - b);
  say(`answer about the photo, s: ${waits.map(({ pictureMs }) => seconds(pictureMs)).join(', ')}`);
  say(`from Send to the verdict, s: ${verdicts.map(seconds).join(', ')}`);
  say(`half within ${seconds(quantile(verdicts, 0.5))} s, all within ${seconds(quantile(verdicts, 1))} s`);
  for (const said of new Set(waits.flatMap(({ told }) => told))) say(`the page said: ${said}`);
  say(`all masked copies stood ${seconds(await copiesMs(product))} s after the last verdict`);
  sayMachine();
  if (quantile(verdicts, 1) > limitMs) process.exitCode = 1;
}

await runBench(measure);
