import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { call } from '#test/support/harness.ts';
import { begun, idinUnder, press, reasonOf } from '#test/support/people/idin.ts';
import { person } from '#test/support/people/person.ts';
import { startBeside } from '#worker/standalone/idin-simulator/beside.ts';
import { type Instance, newInstance, start } from './instance.ts';
import { newFolder } from './support.ts';

const waiting = { timeout: 180_000, interval: 200 };

async function beside() {
  const dataDir = newFolder();
  const simulator = await startBeside({ dataDir, wanted: undefined });
  onTestFinished(simulator.close);
  // The program takes its time to start while other programs keep the machine busy.
  const idin = idinUnder(JSON.parse(simulator.contract.text), { timeoutMs: 120_000 });
  return { dataDir, simulator, idin };
}

/** The processes that have the folder of the simulator as an argument. */
const processesIn = (dataDir: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && argumentsOf(name).includes(join(dataDir, 'idin-simulator')))
    .map(Number);

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

test('the simulator beside the product starts with the first question, and has none of its secrets', async () => {
  const { dataDir, idin } = await beside();
  expect(processesIn(dataDir)).toEqual([]);
  expect(await idin.listIssuers()).toHaveLength(2);
  const [pid] = processesIn(dataDir);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/SECRETS_KEY|DATABASE_URL|HOME=/);
});

test('a simulator that is killed between any two steps goes on where it was', async () => {
  const { dataDir, simulator, idin } = await beside();
  /** Kills the process, and waits for another one. A connection at the moment of the death is lost, as with a bank. */
  const kill = async () => {
    const [pid] = processesIn(dataDir);
    process.kill(pid ?? expect.unreachable('the simulator runs'), 'SIGKILL');
    await vi.waitFor(() => expect(processesIn(dataDir)).not.toContain(pid), waiting);
    await vi.waitFor(
      async () => expect((await request(simulator.url, { reset: true })).statusCode).toBe(200),
      waiting,
    );
  };
  await idin.listIssuers();
  await kill();
  const transaction = await begun(idin);
  await kill();
  expect(await idin.fetchResult(transaction)).toEqual({ status: 'open' });
  await kill();
  await press(transaction.redirectUrl, { choice: 'pending', persona: 'plain' });
  await kill();
  expect(await idin.fetchResult(transaction)).toEqual({ status: 'pending' });
  await kill();
  expect(await idin.fetchResult(transaction)).toMatchObject({ status: 'success' });
}, 600_000);

test('the end of the product ends its simulator, and then nobody answers', async () => {
  const { dataDir, simulator, idin } = await beside();
  await idin.listIssuers();
  await simulator.close();
  expect(processesIn(dataDir)).toEqual([]);
  expect(await reasonOf(idin.listIssuers())).toBe('unreachable');
});

/** Creates a verification, walks to a bank of the simulator, and returns the verdict. */
async function walked({ url }: { url: string }, key: string, body: object) {
  const { json } = await call({ url }, 'POST', '/v1/verifications', {
    key,
    body: { method: 'idin', ...body },
  });
  const user = person({ url }, json.verify_url);
  await user.start();
  await user.press('bank', { body: 'bank=SIMBNL2A' });
  const page = await vi.waitFor(async () => {
    const { text } = await user.look();
    return /href="(http:[^"]+\/bank\/\d+)"/.exec(text)?.[1] ?? expect.unreachable('no address yet');
  }, waiting);
  const back = await press(page, { choice: 'success', persona: 'plain' });
  await call({ url }, 'GET', back.pathname + back.search);
  return vi.waitFor(async () => {
    const found = await call({ url }, 'GET', `/v1/verifications/${json.id}`, { key });
    expect(found.json.status).toBe('completed');
    return found.json.verdict;
  }, waiting);
}

/** Starts the product, and its simulator too, which could be too late for the first person while other programs keep the machine busy. */
async function startBoth(instance: Instance) {
  const product = await start(instance, 300_000);
  expect((await fetch(`http://127.0.0.1:${instance.simulatorPort}`)).status).toBe(200);
  return product;
}

const keyOf = ({ dataDir }: Instance, name: string) => readFileSync(join(dataDir, name), 'utf8').trim();

test('after npm start, sandbox and live go through a bank of the simulator, also at another port later', async () => {
  const instance = await newInstance();
  const first = await startBoth(instance);
  expect(first.output()).toContain(`http://127.0.0.1:${instance.simulatorPort}`);
  const [sandbox, live] = [keyOf(instance, 'demo-key'), keyOf(instance, 'demo-live-key')];
  const inReview = { sandbox: { scenario: 'review', auto_complete: false } };
  expect(await walked(first, sandbox, inReview)).toMatchObject({
    ...{ outcome: 'review', assurance_level: 'low' },
    reasons: ['The identity attributes are in doubt; a person makes the final assessment.'],
  });
  const approved = {
    ...{ outcome: 'approved', assurance_level: 'substantial' },
    reasons: ['All checks passed.', 'The bank was a simulator; nobody was identified.'],
  };
  expect(await walked(first, live, {})).toMatchObject(approved);
  first.signal('SIGINT');
  expect(await first.exited).toBe(0);
  expect(processesIn(instance.dataDir)).toEqual([]);

  const { simulatorPort } = await newInstance();
  const second = await startBoth({ ...instance, simulatorPort });
  expect(await walked(second, live, {})).toMatchObject(approved);
}, 900_000);
