import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { changedProduct } from '#test/support/changed-product.ts';
import { type Caught, withPlanted } from './planted-section.ts';
import { type Plant, plants } from './plants.ts';
import { shardOf } from './shard.ts';

/**
 * Tests whether the fault harness finds bugs. Each bug is planted into a copy of the product. The harness runs on that copy, and it
 * must fail and name the bug. The program prints the line that names the bug. `--only` chooses bugs by a part of their text or of the
 * name of their fault, and `--shard 2/3` one shard of them. `--report FILE` writes them all into the section of a report of rounds.
 */

function runIn(
  copy: string,
  { only, rounds, settleSeconds = 240, patienceSeconds = 180 }: Plant,
): Promise<{ code: number; report: string }> {
  return new Promise((resolve) => {
    const times = ['--settle', String(settleSeconds), '--patience', String(patienceSeconds)];
    const run = [join(copy, 'test/faults/run.ts'), '--only', only, ...times];
    const env = { ...process.env, FAULT_ROUNDS: String(rounds) };
    const child = execFile(process.execPath, run, { cwd: copy, env, maxBuffer: 2 ** 26 }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? 1, report: stdout }),
    );
    stop = () => child.kill('SIGTERM');
  });
}

/** What the harness found instead shows whether the bug was not struck, or named by another kind of finding. */
const notCaught = (code: number, report: string): string =>
  [`NOT CAUGHT (exit code ${code})`, ...(report.match(/^- FAILED .*$/gm) ?? [])].join('\n  ');

let stop = () => true;
process.once('exit', () => stop());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    report: { type: 'string' },
  },
});
const named = plants.filter(({ bug, only }) => `${bug} ${only}`.includes(values.only));
const chosen = shardOf(named, values.shard);
let missed = chosen.length === 0 ? 1 : 0;
const caught: Caught[] = [];
for (const plant of chosen) {
  const copy = await changedProduct([plant], ['test/faults', 'test/support']);
  const { code, report } = await runIn(copy, plant);
  await rm(copy, { recursive: true, force: true });
  const line = plant.named.exec(report)?.[0];
  if (code === 0 || line === undefined) missed += 1;
  caught.push({ bug: plant.bug, fault: plant.only, line: code === 0 ? undefined : line });
  process.stdout.write(`${plant.bug}:\n  ${line ?? notCaught(code, report)}\n`);
}
if (values.report !== undefined)
  writeFileSync(values.report, withPlanted(readFileSync(values.report, 'utf8'), caught));
process.exit(missed === 0 ? 0 : 1);
