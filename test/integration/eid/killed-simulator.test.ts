import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseReturn } from '#activities/eid/idin/return.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { startHarness } from '#test/support/harness.ts';
import { bankFlow, waiting } from '#test/support/people/bank-flow.ts';
import { agreement, atBank, idinUnder, press, setFault } from '#test/support/people/idin.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { type Program, runProgram } from '#test/support/program.ts';
import { freePort } from '#test/support/servers/free-port.ts';

/** The acquirer and its banks are a process of their own here, which is killed and starts again. */

const folder = mkdtempSync(join(tmpdir(), 'idin-killed-'));
atTheEnd(() => rmSync(folder, { recursive: true }));
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
let simulator: Program;
const start = async () => {
  simulator = runProgram('worker/standalone/idin-simulator/main.ts', { DATA_DIR: folder }, [
    '--port',
    `${port}`,
  ]);
  await simulator.says('Try it:');
};
const kill = async () => {
  simulator.signal('SIGKILL');
  await simulator.exited;
};
const killAndStart = async () => {
  await kill();
  await start();
};
await start();
atTheEnd(kill);
const transactions = join(folder, 'idin-simulator', `transactions-${port}.json`);
const contract = JSON.parse(readFileSync(join(folder, 'idin-simulator', 'contract.json'), 'utf8'));

const under = (text: string) => idinUnder(JSON.parse(text), { timeoutMs: 60_000 });
const banks = { under, parseReturn, close: async () => undefined };
const harness = await startHarness({ banks });
const partner = await startPartner(harness, { org: 'Acme', environment: 'live' });
await (await agreement(contract)).agree(harness.ctx, 'Acme');
const { started, back, completed, visitsOf, oneOfEach } = bankFlow(harness, partner);
const asksOf = async (id: string) =>
  (await harness.rows<{ asks: number }>`select asks from eid_transactions where verification_id = ${id}`)[0]
    ?.asks;

test('a person ends at one verdict although the acquirer is killed before and after each step', async () => {
  const { id, user } = await started();
  await killAndStart();
  const page = await atBank(user);
  await killAndStart();
  const returned = await press(page, { choice: 'pending', persona: 'plain' });
  await kill();
  expect((await back(returned)).status).toBe(303);
  await vi.waitFor(async () => expect(await asksOf(id)).toBeGreaterThan(0), waiting);
  expect((await user.look()).text, 'while nobody answers').toContain('We are asking');
  await start();
  expect((await completed(id)).verdict).toMatchObject({
    ...{ outcome: 'approved', assurance_level: 'substantial' },
  });
  expect(await visitsOf(id)).toEqual(['success']);
  await oneOfEach(id);
});

test('an acquirer that is killed while it begins leads back to the choice, and to one verdict', async () => {
  const { id, user } = await started();
  await setFault(url, { fault: 'slow', on: 'transaction' });
  const choosing = user.press('bank', { body: 'bank=SIMBNL2A' });
  await vi.waitFor(async () => expect(await visitsOf(id)).toEqual(['asked']), waiting);
  await killAndStart();
  await choosing;
  await vi.waitFor(async () => expect((await user.look()).text).toContain('cannot be reached now'), waiting);
  await back(await press(await atBank(user), { choice: 'success', persona: 'plain' }));
  expect((await completed(id)).verdict.outcome).toBe('approved');
  expect(await visitsOf(id)).toEqual(['not_begun', 'success']);
  await oneOfEach(id);
});

test('an acquirer that is killed while it says how a visit ended is asked again', async () => {
  const { id, user } = await started();
  await press(await atBank(user), { choice: 'success', persona: 'plain', fault: 'slow' }).then(back);
  await vi.waitFor(async () => expect(await asksOf(id)).toBe(1), waiting);
  await kill();
  const [visit] = JSON.parse(readFileSync(transactions, 'utf8')).slice(-1);
  writeFileSync(transactions, JSON.stringify([{ ...visit, fault: null }]));
  await start();
  expect((await completed(id)).verdict.outcome).toBe('approved');
  await oneOfEach(id);
});
