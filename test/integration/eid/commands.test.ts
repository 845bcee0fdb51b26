import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { press } from '#test/support/people/idin.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { makePair } from '#worker/standalone/idin-simulator/keys.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'idin-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

const waiting = { timeout: 60_000, interval: 100 };

/** Runs a program of the product and collects what it prints. */
function run(file: string, ...words: string[]) {
  const child = spawn(process.execPath, [file, ...words], { env: { ...process.env, DATA_DIR: dataDir } });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    exit,
    said: () => said,
    saying: (what: RegExp) => vi.waitFor(() => what.exec(said)?.[0] ?? expect.unreachable(said), waiting),
  };
}

const check = (...words: string[]) => run('worker/commands/idin-check.ts', ...words);

test('an operator walks from the simulator to a confirmed person, and no personal value is printed', async () => {
  const simulator = run('worker/standalone/idin-simulator/main.ts', '--port', String(await freePort()));
  await simulator.saying(/Try it:/);
  const contract = join(dataDir, 'idin-simulator', 'contract.json');
  expect(statSync(contract).mode & 0o777).toBe(0o600);

  const walk = check('--contract', contract, '--walk', 'SIMBNL2B');
  await press(await walk.saying(/http:\S+\/bank\/\d+/), { choice: 'success', persona: 'plain' });
  expect(await walk.exit).toBe(0);
  expect(walk.said()).toMatch(/: success\nLevel: substantial. Complete: yes.\nAttributes: .*dateofbirth/);
  expect(walk.said()).not.toMatch(/Jansen|1980-?04-?12|PRIVATE KEY/);

  simulator.child.kill('SIGTERM');
  expect(await simulator.exit).toBe(0);
  const away = check('--contract', contract);
  expect(await away.exit).toBe(69);
  expect(away.said()).toContain('The contract does not work: unreachable');
});

test('a contract that is not usable is named by its fields, never by their values', async () => {
  const file = join(dataDir, 'broken.json');
  writeFileSync(file, JSON.stringify({ merchantId: '1', privateKey: 'secret value' }));
  const checked = check('--contract', file);
  expect(await checked.exit).toBe(78);
  expect(checked.said()).toContain('merchantId: must be 10 digits');
  expect(checked.said()).not.toContain('secret value');
});

test('a certificate that is over is named before the acquirer is asked', async () => {
  const over = await makePair('Over', -1);
  const address = 'https://acquirer.invalid/';
  const file = join(dataDir, 'over.json');
  const contract = {
    ...{ merchantId: '0099000001', legalId: 'Some Name 1', directoryUrl: address, transactionUrl: address },
    ...{ statusUrl: address, ...over, acquirerCertificates: [over.certificate] },
  };
  writeFileSync(file, JSON.stringify(contract));
  const checked = check('--contract', file);
  expect(await checked.exit).toBe(78);
  expect(checked.said()).toContain('The certificate of the contract is over');
});

test('the simulator lists its faults', async () => {
  const listed = run('worker/standalone/idin-simulator/main.ts', '--fault', 'help');
  expect(await listed.exit).toBe(64);
  expect(listed.said()).toContain('xsw-in-object');
  const unfit = run(
    'worker/standalone/idin-simulator/main.ts',
    '--fault',
    'wrong-audience',
    '--on',
    'directory',
  );
  expect(await unfit.exit).toBe(64);
  expect(unfit.said()).toContain('No such fault of such an answer.');
});
