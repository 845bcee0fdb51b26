import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, FormData, request } from 'undici';
import { consented } from '#test/support/people/consented.ts';
import { layouts, slipOf } from '#test/support/specimens/income/small/paper.ts';
import { median, quantile } from '../parts/figures.ts';
import { generate, nowMs } from '../parts/load.ts';
import { type Partner, type Product, startProduct } from '../parts/product.ts';
import { runBench, say, sayMachine, sayRatios, stopStarted, stops } from '../parts/programs.ts';
import { startSetting } from '../parts/setting.ts';

/**
 * Measures how long income checks take of which many are sent at once, and how they slow creates of verifications:
 * node test/bench/pages/income.ts [--checks 20] [--papers 1] [--rate 10] [--seconds 20] [--pairs 3] [--limit 1.2]
 * A quiet round makes creates alone. A busy one makes as many while the income checks are read. The floor of both is a round beside a
 * program that only counts, as much in the background as those that read. Exit code 1: the median of the ratios of the p99 is above the
 * limit.
 */
const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '20' },
    papers: { type: 'string', default: '1' },
    rate: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
    pairs: { type: 'string', default: '3' },
    limit: { type: 'string', default: '1.2' },
  },
});
const [checks, papers, pairs] = [Number(values.checks), Number(values.papers), Number(values.pairs)];
const load = { rate: Number(values.rate), seconds: Number(values.seconds) };
const warmUp = { rate: load.rate, seconds: 5 };
const waitMsMax = 300_000;

const agent = new Agent({ keepAliveTimeout: 60_000 });
stops.push(() => agent.destroy());

async function send(method: 'GET' | 'POST', url: string, headers = {}, body?: string | Buffer | FormData) {
  const answer = await request(url, { method, dispatcher: agent, headers, ...(body && { body }) });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** An income check whose person has handed in everything, and only has to send it. */
async function ready({ url }: Product, { key }: Partner, slips: readonly Buffer[]) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status, text } = await send('POST', `${url}/v1/income-checks`, headers, '{}');
  if (status !== 201) throw new Error(`a create was answered ${status}`);
  const { id, upload_url: link } = JSON.parse(text);
  const page = `${url}${new URL(link).pathname}`;
  const typed = { 'content-type': 'application/x-www-form-urlencoded' };
  await send('POST', `${page}/start?lang=en`, typed, consented);
  for (const slip of slips) {
    const form = new FormData();
    form.append('paper', new Blob([new Uint8Array(slip)], { type: 'application/pdf' }), 'slip.pdf');
    await send('POST', `${page}/paper?lang=en`, {}, form);
  }
  return { id: String(id), submit: () => send('POST', `${page}/submit?lang=en`, typed, ' ') };
}

/** Resolves with the seconds from Send until each verdict. */
async function verdicts({ store }: Product, ids: readonly string[], sentAt: number): Promise<number[]> {
  const seconds = new Map<string, number>();
  for (const until = nowMs() + waitMsMax; seconds.size < ids.length && nowMs() < until; await pause(100)) {
    const done = await store.db
      .selectFrom('verifications')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', 'completed')
      .execute();
    for (const { id } of done) if (!seconds.has(id)) seconds.set(id, (nowMs() - sentAt) / 1_000);
  }
  if (seconds.size < ids.length) throw new Error('an income check has no verdict');
  return [...seconds.values()];
}

async function creates(partner: Partner): Promise<number> {
  const made = await generate(load, partner.create);
  return quantile(
    made.map(({ scheduledMs, answeredMs }) => answeredMs - scheduledMs),
    0.99,
  );
}

/** As in `shared/platform/isolated/program.ts`, which starts the programs that read. */
const niceness = 10;

/** Resolves with the p99 of creates beside one program in the background that does nothing but count. */
async function besideCounting(partner: Partner): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore', detached: true });
  stops.push(async () => child.kill('SIGKILL'));
  if (child.pid !== undefined) setPriority(child.pid, niceness);
  try {
    return await creates(partner);
  } finally {
    child.kill('SIGKILL');
  }
}

async function measure(): Promise<void> {
  sayMachine();
  const slips = await Promise.all(Object.keys(layouts).map((name) => slipOf(name)));
  const product = await startProduct(await startSetting('income'));
  const partner = await product.partner('Measured', []);
  const lender = await product.partner('Lender', [], 'live');
  await generate(warmUp, partner.create);
  const ratios: number[] = [];
  const floors: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const cases = [];
    for (let check = 0; check < checks; check++)
      cases.push(
        await ready(
          product,
          lender,
          Array.from({ length: papers }, (_, n) => pick(slips, check + n)),
        ),
      );
    const quiet = await creates(partner);
    const counting = await besideCounting(partner);
    const sentAt = nowMs();
    await Promise.all(cases.map(({ submit }) => submit()));
    const [busy, seconds] = await Promise.all([
      creates(partner),
      verdicts(
        product,
        cases.map(({ id }) => id),
        sentAt,
      ),
    ]);
    ratios.push(busy / quiet);
    floors.push(counting / quiet);
    say(
      `p99 of creates ${quiet.toFixed(0)} ms alone, ${counting.toFixed(0)} ms beside one that counts, ` +
        `${busy.toFixed(0)} ms beside ${checks} income checks: ` +
        `verdicts after ${median(seconds).toFixed(1)} s in the middle and ${Math.max(...seconds).toFixed(1)} s at the latest`,
    );
  }
  sayMachine();
  sayRatios('p99 of creates, beside one that counts / alone', floors);
  sayRatios('p99 of creates, beside income checks / alone', ratios);
  await stopStarted();
  if (median(ratios) > Number(values.limit)) process.exitCode = 1;
}

const pick = (slips: readonly Buffer[], place: number): Buffer =>
  slips[place % slips.length] ?? Buffer.alloc(0);

await runBench(measure);
