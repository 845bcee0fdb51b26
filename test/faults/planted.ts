import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Does the oracle see what it is there to see? Each bug is planted into a copy of the product, the harness runs on that
 * copy, and it must fail and name the bug. Prints the line by which it did.
 */
type Plant = { bug: string; file: string; from: string; to: string; args: string[]; named: RegExp };

const attempt =
  'export async function attemptDelivery(ctx: DeliveryContext, order: AttemptDelivery): Promise<AttemptReport> {';

const plants: Plant[] = [
  {
    bug: 'the attempt row is written after sending',
    file: 'shared/services/deliveries/attempt.ts',
    from: attempt,
    // All of it in one transaction: the row is there for nobody until the answer is in.
    to: `export const attemptDelivery = (ctx: DeliveryContext, order: AttemptDelivery): Promise<AttemptReport> =>
  ctx.store.transaction((tx) =>
    attemptInOne({ ...ctx, store: { ...ctx.store, db: tx, transaction: (work) => work(tx) } }, order),
  );
${attempt.replace('export ', '').replace('attemptDelivery', 'attemptInOne')}`,
    args: ['--only', 'worker after send', '--rounds', '2'],
    named: /FAILED \(attempts\): .* (before the row of its attempt|sent twice)/,
  },
  {
    bug: 'the claim is skipped',
    file: 'shared/services/verifications/create.ts',
    from: 'idempotencyKey: ctx.idempotencyKey,',
    to: 'idempotencyKey: undefined,',
    args: ['--only', 'API between Temporal call and answer', '--rounds', '1'],
    named: /FAILED \(doubled\): .*/,
  },
  {
    bug: 'the sweep is off',
    file: 'worker/worker.ts',
    from: 'const sweep = startSweep(ctx, log, { housekeeping });',
    to: 'const sweep = { stop: async () => void startSweep };',
    args: ['--only', "Temporal's data deleted", '--rounds', '2', '--settle', '60'],
    named: /FAILED \(stuck\): .*/,
  },
];

const root = join(import.meta.dirname, '../..');
const parts = ['api', 'worker', 'shared', 'activities', 'workflows', 'test/faults', 'package.json'];

async function copyWith({ bug, file, from, to }: Plant): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'verification-planted-'));
  for (const part of parts) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(root, part), join(copy, part), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = await readFile(join(copy, file), 'utf8');
  if (!source.includes(from)) throw new Error(`"${bug}" cannot be planted: ${file} has changed`);
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
