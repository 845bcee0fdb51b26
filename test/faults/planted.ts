import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Plant, plants } from './plants.ts';

/**
 * Tests whether the fault harness finds bugs. Each bug is planted into a copy of the product. The harness runs on that copy, and it
 * must fail and name the bug. The program prints the line that names the bug.
 */

const root = join(import.meta.dirname, '../..');
const parts = [
  'api',
  'worker',
  'shared',
  'activities',
  'workflows',
  'test/faults',
  'test/support',
  'package.json',
];

async function copyWith({ file, from, to }: Plant): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'verification-planted-'));
  for (const part of parts) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = await readFile(join(copy, file), 'utf8');
  await writeFile(
    join(copy, file),
    source.replace(from, () => to),
  );
  return copy;
}

function runIn(copy: string, args: string[]): Promise<{ code: number; report: string }> {
  return new Promise((resolve) => {
    const run = [join(copy, 'test/faults/run.ts'), ...args];
    const child = execFile(process.execPath, run, { cwd: copy, maxBuffer: 2 ** 26 }, (_error, stdout) =>
      resolve({ code: child.exitCode ?? 1, report: stdout }),
    );
    process.once('exit', () => child.kill('SIGTERM'));
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

let missed = 0;
for (const plant of plants) {
  const copy = await copyWith(plant);
  const { code, report } = await runIn(copy, plant.args);
  await rm(copy, { recursive: true, force: true });
  const line = plant.named.exec(report)?.[0];
  if (code === 0 || line === undefined) missed += 1;
  process.stdout.write(`${plant.bug}:\n  ${line ?? `NOT CAUGHT (exit code ${code})`}\n`);
}
process.exit(missed === 0 ? 0 : 1);
