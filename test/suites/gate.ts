import { conclude, look, run, secondLook, slowest } from './look.ts';

/**
 * The gate, `npm test`: static checks, unit tests, and the tests that hold the promises of the specification, the invariants of
 * `docs/architecture.md` and the walls. Everything else is in `whole.ts`.
 */

const began = performance.now();
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** The browser and its types are packages of their own, so that the product's own `npm ci` stays light. */
const browserPackages = ['--prefix', 'test/browser', 'ci', '--no-audit', '--no-fund', '--silent'];

/** The types of the browser's tests include those of everything else. With one checker no type is worked out twice. */
const staticChecks: [string, ...string[]][] = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['tsc', '-p', 'test/browser', '--checkers', '1'],
];

async function failedChecks(): Promise<string[]> {
  if ((await run('npm', browserPackages)) !== 0) return ['the packages of the browser cannot be installed'];
  const codes = await Promise.all(staticChecks.map((check) => run('npx', ['--no-install', ...check])));
  return staticChecks.filter((_, index) => codes[index] !== 0).map((check) => check.join(' '));
}

const failed = await failedChecks();
if (failed.length > 0) {
  for (const check of failed) say(`FAIL ${check}`);
  say(`0 passed, ${failed.length} failed`);
  process.exit(1);
}
const found = await secondLook(await look('--project', 'unit', '--project', 'integration'));
say('\nthe slowest files');
for (const line of slowest(found)) say(line);
say(`the gate took ${Math.round((performance.now() - began) / 1_000)} s`);
conclude(found);
