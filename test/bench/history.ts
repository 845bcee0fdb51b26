import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { openStore } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { ensureOrganisation } from '#store/organisations/organisations.ts';
import { fillLedger, fillVerifications } from '#test/support/rows/fill.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { memoryMbOf } from './parts/processes.ts';
import { runBench, say, sayMachine } from './parts/programs.ts';
import { startSetting } from './parts/setting.ts';

/**
 * Measures time and memory of the commands that read whole tables: node test/bench/history.ts [--lines 3000000]
 * Each verification has three lines.
 */
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '3000000' },
  },
});

const linesEach = 3;
const subjectsAtOnce = 50_000;
const [older, newer] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const statementTimeoutMs = 600_000;

async function fill(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl, 1, { statementTimeoutMs });
  const ctx = { store, secrets: createSecrets([older]) };
  const orgId = await ensureOrganisation(store.db, 'Acme');
  for (let left = Number(values.lines) / linesEach; left > 0; left -= subjectsAtOnce)
    await fillSome(ctx, orgId, Math.min(left, subjectsAtOnce));
  await rowsIn(store)`
    insert into events (id, org_id, environment, type, verification_id, body)
    select 'evt_' || id, org_id, environment, 'verification.completed', id, '{}'::text::bytea from verifications`;
  await rowsIn(store)`vacuum analyze`;
  await store.close();
}

async function fillSome(ctx: Parameters<typeof fillLedger>[0], orgId: string, count: number): Promise<void> {
  const ids = await fillLedger(ctx, { orgId, subjects: count, linesEach });
  await fillVerifications(ctx, { orgId, environment: 'sandbox', count, ids });
}

/** Runs a command of the product and says how long it took and how much memory it had at most. */
async function run(env: NodeJS.ProcessEnv, command: string, ...words: string[]): Promise<void> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [`worker/commands/${command}.ts`, ...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let megabytes = 0;
  let isRunning = true;
  const exited = once(child, 'exit').finally(() => {
    isRunning = false;
  });
  for (; isRunning; await pause(100)) megabytes = Math.max(megabytes, memoryMbOf(child.pid ?? 0));
  const [code] = await exited;
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  say(
    `${[command, ...words].join(' ')}: exit code ${code}, ${seconds} s, at most ${megabytes.toFixed(0)} MB`,
  );
}

await runBench(async () => {
  sayMachine();
  const { postgres, temporal } = await startSetting('history');
  await migrate(postgres.url);
  await fill(postgres.url);
  say(`filled: ${values.lines} ledger lines, ${Number(values.lines) / linesEach} verifications`);
  const SECRETS_KEY = [newer, older].map((key) => key.toString('base64')).join(',');
  const env = { DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: temporal.address, SECRETS_KEY };
  await run(env, 'inspect', '--repair', '--only', 'work');
  await run(env, 'inspect', '--only', 'history');
  await run(env, 'secrets');
  await run(env, 'secrets', '--reseal');
});
