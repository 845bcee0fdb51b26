import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/support/servers/free-port.ts';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { memoryMbOf, processorMs } from './parts/processes.ts';
import { isReady } from './parts/product.ts';
import { say, stopStarted, stops } from './parts/programs.ts';
import { newFolder, startServer } from './parts/setting.ts';
import type { Line } from './parts/table.ts';

const program = fileURLToPath(new URL('../../worker/standalone/main.ts', import.meta.url));
const stopMsMax = 30_000;
/** What a start leaves to do is done by then. */
const restMs = 60_000;
const measuredMs = 60_000;

/**
 * Measures what everything of `npm start` uses while nobody asks for anything: console, simulator, Postgres and Temporal included. Beside
 * it a Temporal server that nobody uses is measured in the same minute. What a wake-up costs differs between machines by a multiple.
 */
export async function benchIdle(): Promise<Line[]> {
  // Nothing else runs meanwhile.
  await stopStarted();
  say('Idle, everything of npm start:');
  const folder = await newFolder('idle');
  const names = ['PORT', 'CONSOLE_PORT', 'METRICS_PORT', 'TEMPORAL_UI_PORT', 'IDIN_SIMULATOR_PORT'];
  const ports: Record<string, string> = {};
  for (const name of names) ports[name] = String(await freePort());
  const { pid, stop } = spawnChild({
    command: process.execPath,
    args: [program],
    logFile: join(folder, 'start.log'),
    env: { ...process.env, ...ports, DATA_DIR: join(folder, 'data') },
  });
  stops.push(() => stop('SIGINT', stopMsMax));
  const { pid: bare } = await startServer(folder);
  await isReady(`http://127.0.0.1:${ports.PORT}/ready`);
  await pause(restMs);
  const before = [processorMs(pid), processorMs(bare)] as const;
  await pause(measuredMs);
  const percentSince = (of: number, beforeMs: number) => ((processorMs(of) - beforeMs) / measuredMs) * 100;
  const share = percentSince(pid, before[0]);
  const bareShare = percentSince(bare, before[1]);
  const memory = memoryMbOf(pid);
  return [
    {
      what: 'idle, everything of `npm start`, % of a core',
      ours: share.toFixed(1),
      beside: `${bareShare.toFixed(1)} a Temporal server that nobody uses`,
      figure: share,
      goal: { atMost: 1.5 },
    },
    {
      what: 'idle, everything of `npm start`, MB without files',
      ours: memory.toFixed(0),
      beside: '',
      figure: memory,
      goal: { atMost: 450 },
    },
  ];
}
