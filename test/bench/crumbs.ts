import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { request } from 'undici';
import { prepareCheckout } from './checkout.ts';
import { runBench, say, sayMachine } from './programs.ts';
import { startSetting } from './setting.ts';

/**
 * Measures how long others wait while callers without a key send bodies in chunks of one byte:
 * node test/bench/crumbs.ts [--root DIR] [--bodies 100]
 * The first measurement is without these callers, the second one with them. They send from a thread of their own.
 */
const { values } = parseArgs({
  options: { root: { type: 'string', default: '.' }, bodies: { type: 'string', default: '100' } },
});

const bodyBytes = 64 * 1024;
const quietMs = 5_000;

const sender = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { connect } = require('node:net');
  const { port, bodies, bodyBytes } = workerData;
  const bytes = 'POST /mcp HTTP/1.1\\r\\nhost: x\\r\\ncontent-type: application/json\\r\\ntransfer-encoding: chunked\\r\\n\\r\\n' +
    '1\\r\\nx\\r\\n'.repeat(bodyBytes) + '0\\r\\n\\r\\n';
  let open = bodies;
  for (let i = 0; i < bodies; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('data', () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => --open === 0 && parentPort.postMessage('done'));
    socket.write(bytes);
  }`;

async function latencies(url: string, goesOn: () => boolean): Promise<string> {
  const tookMs: number[] = [];
  while (goesOn()) {
    const startedMs = performance.now();
    const { body } = await request(`${url}/v1/health`);
    await body.dump();
    tookMs.push(performance.now() - startedMs);
    await pause(5);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => tookMs[Math.floor((tookMs.length - 1) * share)]?.toFixed(1);
  return `${tookMs.length} requests, p50 ${at(0.5)} / p99 ${at(0.99)} / max ${at(1)} ms`;
}

async function measure(): Promise<void> {
  sayMachine();
  const setting = await startSetting('crumbs', {});
  const checkout = await prepareCheckout({
    root: values.root,
    name: 'crumbs',
    namespace: 'default',
    setting,
  });
  const { url, stop } = await checkout.start(['api']);
  const until = Date.now() + quietMs;
  say(`/v1/health alone: ${await latencies(url, () => Date.now() < until)}`);
  const bodies = Number(values.bodies);
  const workerData = { port: Number(new URL(url).port), bodies, bodyBytes };
  const thread = new Worker(sender, { eval: true, workerData });
  let isDone = false;
  const startedMs = performance.now();
  let tookMs = 0;
  thread.once('message', () => {
    tookMs = performance.now() - startedMs;
    isDone = true;
  });
  const found = await latencies(url, () => !isDone || performance.now() - startedMs < quietMs);
  say(`/v1/health beside ${bodies} bodies, which took ${Math.round(tookMs)} ms: ${found}`);
  await thread.terminate();
  await stop();
}

await runBench(measure);
