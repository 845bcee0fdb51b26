import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#test/support/free-port.ts';
import { familyOf, ownMsOf, residentMbOf } from './processes.ts';
import { say, stops } from './programs.ts';
import type { Line } from './table.ts';

const program = fileURLToPath(new URL('../../worker/standalone/main.ts', import.meta.url));
const readyMsMax = 120_000;
/** What a start leaves to do is done by then. */
const restMs = 60_000;
const measuredMs = 60_000;

/** Measures what everything of `npm start` uses while nobody asks for anything: console, simulator, Postgres and Temporal included. */
export async function benchIdle(): Promise<Line[]> {
  say('Idle, everything of npm start:');
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-idle-'));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const names = ['PORT', 'CONSOLE_PORT', 'METRICS_PORT', 'TEMPORAL_UI_PORT', 'IDIN_SIMULATOR_PORT'];
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await freePort())] as const)),
  );
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...ports, DATA_DIR: join(dataDir, 'data') },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  stops.push(async () => {
    if (child.kill('SIGINT')) await ended;
  });
  await isReady(`http://127.0.0.1:${ports.PORT}/ready`);
  await pause(restMs);
  const family = familyOf(child.pid ?? 0);
  const before = ownMsOf(family);
  await pause(measuredMs);
  const share = ((ownMsOf(family) - before) / measuredMs) * 100;
  const memory = residentMbOf(family);
  child.kill('SIGINT');
  await ended;
  return [
    {
      what: 'idle, everything of `npm start`, % of a core',
      ours: share.toFixed(1),
      beside: `${family.length} processes`,
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

async function isReady(url: string): Promise<void> {
  for (const until = Date.now() + readyMsMax; Date.now() < until; await pause(500))
    if ((await fetch(url).catch(() => undefined))?.status === 200) return;
  throw new Error('npm start did not become ready');
}
