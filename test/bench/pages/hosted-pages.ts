import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, FormData, request } from 'undici';
import { settle } from '#test/support/people/as-operator.ts';
import { consented } from '#test/support/people/consented.ts';
import { bytesOf } from '#test/support/seed.ts';
import { slipOf } from '#test/support/specimens/income/small/paper.ts';
import { quantile } from '../parts/figures.ts';
import { type Product, startProduct } from '../parts/product.ts';
import { runBench, say, sayMachine, stops } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';

/**
 * Measures the time of each hosted page, and of each step that a form sends, while persons open pages at once:
 * node test/bench/pages/hosted-pages.ts [--persons 20] [--rounds 20] [--think-ms 1000] [--limit-ms 50]
 * Each person opens one page after the other, with this pause between two, and then takes a verification from its start to its end. The
 * times include the connection of this machine. Exit code 1: the p99 of a page is above the limit, which does not count for the steps.
 */
const { values } = parseArgs({
  options: {
    persons: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '20' },
    'think-ms': { type: 'string', default: '1000' },
    'limit-ms': { type: 'string', default: '50' },
  },
});
const [persons, rounds] = [Number(values.persons), Number(values.rounds)];
const [thinkMs, limitMs] = [Number(values['think-ms']), Number(values['limit-ms'])];

const agent = new Agent({ pipelining: 1, keepAliveTimeout: 60_000 });

async function send(method: 'GET' | 'POST', url: string, headers = {}, body?: string | FormData) {
  const answer = await request(url, { method, dispatcher: agent, headers, ...(body && { body }) });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** Sends again what a busy machine could not do in time. A second verification harms nobody here, and no button counts twice. */
async function insist(url: string, headers: object, body: string | FormData) {
  for (;;) {
    const answer = await send('POST', url, headers, body);
    if (answer.status !== 503) return answer;
    await pause(1_000);
  }
}

/** Presses a button of the page, as a form does. */
async function press(link: string, action: string, body = ''): Promise<void> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await insist(link.replace('?', `/${action}`), type, body || ' ');
  if (status !== 303) throw new Error(`${action} was answered ${status}`);
}

async function handIn(link: string, slip: Buffer): Promise<void> {
  const form = new FormData();
  form.append('paper', new Blob([new Uint8Array(slip)], { type: 'application/pdf' }), 'slip.pdf');
  const { status } = await insist(link.replace('?', '/paper?lang=en'), {}, form);
  if (status !== 303) throw new Error(`a document was answered ${status}`);
}

type Keys = Record<'sandbox' | 'live', string>;

const start = 'start?lang=en';
const specimen = (kind: string) => `specimen?lang=en&kind=${kind}`;
const submit = 'submit?lang=en';
const wholeWay = [start, specimen('passport_page'), specimen('selfie'), specimen('movements'), submit];
const bodyOf = (action: string) => (action === start ? consented : '');

/** Calls the interface of partners. */
function partnerOf(url: string) {
  const post = async (key: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const { status, text } = await insist(`${url}/v1${path}`, headers, JSON.stringify(body));
    if (status >= 300) throw new Error(`POST ${path} was answered ${status}`);
    return JSON.parse(text);
  };
  const linkOf = (address: string) => `${url}${new URL(address).pathname}?`;
  const created = async (key: string, actions: readonly string[] = [], body: object = {}) => {
    const { id, verify_url } = await post(key, '/verifications', {
      ...{ method: 'document_liveness', sandbox: { auto_complete: false } },
      ...body,
    });
    const link = linkOf(verify_url);
    for (const action of actions) await press(link, action, bodyOf(action));
    return { id: String(id), link };
  };
  const incomeCheck = async (key: string, slips: readonly Buffer[]) => {
    const { upload_url } = await post(key, '/income-checks', { sandbox: { auto_complete: false } });
    const link = linkOf(upload_url);
    await press(link, start, consented);
    for (const slip of slips) await handIn(link, slip);
    return link;
  };
  return { post, created, incomeCheck };
}
type Partner = ReturnType<typeof partnerOf>;

/** The pages of one person, by name. Each has a verification of its own at that step. */
async function pagesOf(
  { url, store }: Product,
  { post, created, incomeCheck }: Partner,
  keys: Keys,
): Promise<Map<string, string>> {
  const change = ({ id }: { id: string }, values: { submittedAt: Date } | { linkExpiresAt: Date }) =>
    store.db.updateTable('verifications').set(values).where('id', '=', id).execute();
  const document = await created(keys.sandbox, [start]);
  const checking = await created(keys.live, [start]);
  // So far ahead that the sweep never takes it for lost.
  await change(checking, { submittedAt: new Date(Date.now() + 86_400_000) });
  const expired = await created(keys.sandbox, [start]);
  await change(expired, { linkExpiresAt: new Date(Date.now() - 1_000) });
  const cancelled = await created(keys.sandbox);
  await post(keys.sandbox, `/verifications/${cancelled.id}/cancel`, {});
  const rejected = { method: 'document_only', sandbox: { scenario: 'rejected' } };
  const [passport, selfie, moved] = [specimen('passport_page'), specimen('selfie'), specimen('movements')];
  const links: Record<string, string> = {
    welcome: (await created(keys.live)).link,
    'the code for a phone': document.link.replace('?', '/phone.svg?'),
    document: document.link,
    'photo of a passport': `${document.link}take=passport_page`,
    'photo of the back of a card': `${document.link}take=card_back`,
    'photo of the person': (await created(keys.sandbox, [start, passport])).link,
    'movements of the person': (await created(keys.sandbox, [start, passport, selfie])).link,
    bank: (await created(keys.sandbox, [start], { method: 'idin' })).link,
    following: `${document.link}follow=phone`,
    confirm: (await created(keys.sandbox, [start, passport, selfie, moved])).link,
    checking: checking.link,
    done: (await created(keys.sandbox, wholeWay)).link,
    'documents of income': await incomeCheck(keys.sandbox, []),
    'confirm, income': await incomeCheck(keys.sandbox, [slip]),
    rejected: (await created(keys.sandbox, [], rejected)).link,
    'other way': (await created(keys.sandbox, ['decline?lang=en'])).link,
    stopped: (await created(keys.sandbox, [start, 'withdraw?lang=en'])).link,
    expired: expired.link,
    cancelled: cancelled.link,
    unknown: `${url}/verify/nothing?`,
  };
  return new Map(Object.entries(links));
}

const slip = await slipOf('two columns');
let walking = 0;

type Walk = {
  pages: ReadonlyMap<string, string>;
  /** The link of a new verification. */
  begin: () => Promise<string>;
  times: Map<string, number[]>;
};

async function walk({ pages, begin, times }: Walk): Promise<void> {
  // Persons who think equally long would all ask at the same moment.
  const think = bytesOf(`person ${walking++}`, rounds * (pages.size + wholeWay.length)).values();
  const timed = async (name: string, act: () => Promise<void>) => {
    await pause(thinkMs * (0.5 + (think.next().value ?? 0) / 256));
    const startedMs = performance.now();
    await act();
    times.set(name, [...(times.get(name) ?? []), performance.now() - startedMs]);
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, link] of pages)
      await timed(name, async () => {
        const { status } = await send('GET', link, { 'accept-language': 'en' });
        if (status !== (name === 'unknown' ? 404 : 200)) throw new Error(`${name} answered ${status}`);
      });
    const link = await begin();
    for (const action of wholeWay)
      await timed(`${stepMark}${action.split('?', 1)[0]}`, () => press(link, action, bodyOf(action)));
  }
}

/** What the name of a step begins with. */
const stepMark = 'send: ';

async function measure(): Promise<void> {
  sayMachine();
  stops.push(() => agent.destroy());
  const product = await startProduct(await startSetting('hosted-pages'));
  const { key: sandbox } = await product.partner('Acme', []);
  const { key: live } = await product.partner('Acme', [], 'live');
  await settle(product.store, 'Acme', { offersOtherWay: true, decisions: 'machine_may_reject' });
  const all: Map<string, string>[] = [];
  const partner = partnerOf(product.url);
  for (let person = 0; person < persons; person++)
    all.push(await pagesOf(product, partner, { sandbox, live }));
  say(`${persons} persons, ${rounds} rounds, ${thinkMs} ms between two pages`);
  const times = new Map<string, number[]>();
  const begin = async () => (await partner.created(sandbox)).link;
  await Promise.all(all.map((pages) => walk({ pages, begin, times })));
  say('     p50      p99  page (ms)');
  for (const [name, ms] of times)
    say(`${quantile(ms, 0.5).toFixed(1).padStart(8)} ${quantile(ms, 0.99).toFixed(1).padStart(8)}  ${name}`);
  const slow = [...times]
    .filter(([name, ms]) => !name.startsWith(stepMark) && quantile(ms, 0.99) > limitMs)
    .map(([name]) => name);
  say(slow.length === 0 ? `Every page is under ${limitMs} ms at p99.` : `Too slow: ${slow.join(', ')}`);
  sayMachine();
  if (slow.length > 0) process.exitCode = 1;
}

await runBench(measure);
