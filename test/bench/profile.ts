import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runRound } from './creates.ts';
import { generate } from './parts/load.ts';
import { threadsMsOf } from './parts/processes.ts';
import { startProduct } from './parts/product.ts';
import { sharesOf, startProfile } from './parts/profiler.ts';
import { runBench, say, sayMachine } from './parts/programs.ts';
import { requestsOf } from './parts/requests.ts';
import { startReceiver, startSetting } from './parts/setting.ts';
import { fillTable, readTargets } from './reads.ts';

/**
 * Says what the processes of the product do while they are busy, for the goals that are missed:
 * node test/bench/profile.ts [--rows 100000] [--seconds 8] [--top 12]
 * For reads, the places in the code of the API. For creates, the same of the API and of the worker's main thread, and the processor time of
 * the worker's threads, since most of them are not JavaScript.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '8' },
    top: { type: 'string', default: '12' },
  },
});
const seconds = Number(values.seconds);

const table = (shares: readonly (readonly [string, number])[]) =>
  shares
    .slice(0, Number(values.top))
    .map(([place, share]) => `${place} ${(100 * share).toFixed(1)}`)
    .join(', ');

await runBench(async () => {
  sayMachine();
  const setting = await startSetting('profile');
  const receiver = await startReceiver(setting);
  process.env.NODE_OPTIONS = '--inspect=127.0.0.1:0';
  const product = await startProduct(setting);
  delete process.env.NODE_OPTIONS;
  const logOf = (part: 'api' | 'worker') => join(setting.folder, `${part}.log`);
  const partner = await product.partner('Bench 1', []);
  const receiving = await product.partner('Bench creates', [receiver.url('/hooks/0')]);
  const creator = {
    ...{ name: 'ours', endpoints: 1, pids: product.pids },
    run: (load: Parameters<typeof generate>[0]) => generate(load, receiving.create),
  };
  await runRound(creator, receiver, { inFlight: 10, count: 600 });
  const before = threadsMsOf(product.pids.worker);
  const recorded = [await startProfile(logOf('api')), await startProfile(logOf('worker'))] as const;
  await runRound(creator, receiver, { inFlight: 10, count: 600 });
  const [api, worker] = [await recorded[0].stop(), await recorded[1].stop()];
  say(`create, API: ${table(sharesOf(api))}`);
  say(`create, worker's main thread: ${table(sharesOf(worker))}`);
  const threads = [...threadsMsOf(product.pids.worker)].map(
    ([name, ms]) => [name, ms - (before.get(name) ?? 0)] as const,
  );
  const perCreate = threads.toSorted((a, b) => b[1] - a[1]).filter(([, ms]) => ms > 60);
  say(
    `create, worker's threads, ms of each create: ${perCreate.map(([name, ms]) => `${name} ${(ms / 600).toFixed(2)}`).join(', ')}`,
  );

  await fillTable(product, partner.organisationId, Number(values.rows));
  const targets = await readTargets(setting, product, partner);
  for (const name of ['get', 'list', '429'] as const) {
    await requestsOf(targets[name], { connections: 20, seconds: 3 });
    const profile = await startProfile(logOf('api'));
    const { perSecond } = await requestsOf(targets[name], { connections: 20, seconds });
    say(`${name}, ${perSecond.toFixed(0)} a second, API: ${table(sharesOf(await profile.stop()))}`);
  }
});
