import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faults, seedsOf } from './kinds/faults.ts';
import { plantedSectionOf } from './planted-section.ts';
import { reportOf } from './report.ts';
import { runRounds } from './rounds.ts';
import { shardOf } from './shard.ts';

/**
 * Makes rounds of faults: FAULT_ROUNDS=200 node test/faults/run.ts
 * [--seed FIRST] [--only NAME] [--shard 2/3] [--minutes 90] [--items PER_ROUND] [--settle SECONDS] [--patience SECONDS]
 * [--report FILE] [--logs FOLDER]
 * FAULT_ROUNDS is 100 by default, and 1 if a seed is given. So a single seed repeats its round alone. The default of --settle gives
 * the sweep time to find deliveries that nothing else starts.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    minutes: { type: 'string', default: '90' },
    items: { type: 'string', default: '8' },
    settle: { type: 'string', default: '240' },
    patience: { type: 'string', default: '180' },
    report: { type: 'string' },
    logs: { type: 'string' },
  },
});

const say = (line: string) => void process.stderr.write(`${line}\n`);
const settleMs = Number(values.settle) * 1_000;
const rounds = Number(process.env.FAULT_ROUNDS ?? (values.seed === undefined ? 100 : 1));
const seeds = shardOf(seedsOf(values.only, rounds, Number(values.seed ?? 1)), values.shard);
if (seeds.length === 0) {
  say(`No fault is named so. There are:\n${faults.map(({ name }) => name).join('\n')}`);
  process.exit(64);
}
for (const { name, missing } of faults) if (missing !== undefined) say(`Left out: ${name}: ${missing}`);

const outcome = await runRounds({
  seeds,
  untilMs: Date.now() + Math.max(Number(values.minutes) * 60_000 - settleMs, 0),
  itemsPerRound: Number(values.items),
  settleMs,
  patienceMs: Number(values.patience) * 1_000,
  say,
  ...(values.logs !== undefined && { keepLogs: keepIn(values.logs) }),
});

/** Copies what all parts wrote. */
function keepIn(target: string): (folder: string) => void {
  return (folder) => {
    mkdirSync(target, { recursive: true });
    for (const file of globSync('*.{log,jsonl}', { cwd: folder }))
      copyFileSync(join(folder, file), join(target, file));
  };
}

/** The report keeps the section about planted bugs that the page had. */
function withItsPlanted(file: string): string {
  const kept = existsSync(file) ? plantedSectionOf(readFileSync(file, 'utf8')) : '';
  return kept === '' ? report : `${report}\n${kept}`;
}

const report = reportOf(outcome);
process.stdout.write(report);
if (values.report !== undefined) writeFileSync(values.report, withItsPlanted(values.report));
process.exit(outcome.findings.length === 0 ? 0 : 1);
