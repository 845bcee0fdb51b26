import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/support/free-port.ts';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { familyOf, memoryMbOf, processorMs } from './processes.ts';
import { isReady } from './product.ts';
import { say, stopStarted, stops } from './programs.ts';
import { newFolder } from './setting.ts';
import type { Line } from './table.ts';

const program = fileURLToPath(new URL('../../worker/standalone/main.ts', import.meta.url));
const stopMsMax = 30_000;
/** What a start leaves to do is done by then. */
const restMs = 60_000;
const measuredMs = 60_000;

/** Measures what everything of `npm start` uses while nobody asks for anything: console, simulator, Postgres and Temporal included. */
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
  await isReady(`http://127.0.0.1:${ports.PORT}/ready`);
  await pause(restMs);
  const before = processorMs(pid);
  await pause(measuredMs);
  const share = ((processorMs(pid) - before) / measuredMs) * 100;
  const memory = memoryMbOf(pid);
  return [
    {
      what: 'idle, everything of `npm start`, % of a core',
      ours: share.toFixed(1),
      beside: `${familyOf(pid).length} processes`,
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
