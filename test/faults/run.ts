import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faults } from './faults.ts';
import { reportOf } from './report.ts';
import { runRounds } from './rounds.ts';

/**
 * Makes the full run: node test/faults/run.ts
 * [--rounds 100] [--minutes 25] [--only NAME] [--items PER_ROUND] [--settle SECONDS] [--report FILE]
 * The default of --settle gives the sweep time to find deliveries that nothing else starts.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '25' },
    items: { type: 'string', default: '10' },
    settle: { type: 'string', default: '240' },
    only: { type: 'string' },
    report: { type: 'string' },
  },
});

const settleMs = Number(values.settle) * 1_000;

const only = values.only?.toLowerCase();
const chosen = faults.filter(({ name }) => only === undefined || name.toLowerCase().includes(only));
if (chosen.length === 0) {
  process.stderr.write(`No fault is named so. There are:\n${faults.map(({ name }) => name).join('\n')}\n`);
  process.exit(64);
}

const outcome = await runRounds({
  faults: chosen,
  rounds: Number(values.rounds),
  untilMs: Date.now() + Math.max(Number(values.minutes) * 60_000 - settleMs, 0),
  itemsPerRound: Number(values.items),
  settleMs,
  say: (line) => void process.stderr.write(`${line}\n`),
});
const report = reportOf(outcome);
process.stdout.write(report);
if (values.report !== undefined) writeFileSync(values.report, report);
process.exit(outcome.findings.length === 0 ? 0 : 1);
