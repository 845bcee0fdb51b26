import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, vi } from 'vitest';
import { createIdin } from '#activities/eid/idin/adapter.ts';
import { type IdinContract, isSimulated } from '#activities/eid/idin/contract.ts';
import { readAnswer } from '#activities/eid/idin/isolated/answers.ts';
import { readAttributes } from '#activities/eid/idin/isolated/attributes.ts';
import { Refused } from '#activities/eid/idin/isolated/refused.ts';
import { createPost } from '#activities/eid/idin/post.ts';
import { type AnswerReader, createAnswerReader, type ReadAnswer } from '#activities/eid/idin/reader.ts';
import { parseReturn } from '#activities/eid/idin/return.ts';
import { type Banks, EidFault, type EidProvider, type Transaction } from '#activities/eid/port.ts';
import { dayMs } from '#contract/time.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import type { Context } from '#services/context.ts';
import { changeContract } from '#services/eid/contracts.ts';
import type { AnswerKind, Fault } from '#worker/standalone/idin-simulator/faults.ts';
import { makeKeys } from '#worker/standalone/idin-simulator/keys.ts';
import type { Style } from '#worker/standalone/idin-simulator/messages.ts';
import { type Simulator, startSimulator } from '#worker/standalone/idin-simulator/server.ts';
import { atTheEnd, onceAFile } from '../at-the-end.ts';
import { operatorAt } from './as-operator.ts';
import type { person } from './person.ts';

/** Reads answers in this process, with the code of the isolated program. */
export const readerHere: AnswerReader = {
  answer: async (bytes, question) => asFault(() => readAnswer(bytes, question) as ReadAnswer),
  attributes: async (opened) => asFault(() => readAttributes(opened)),
  close: async () => undefined,
};

function asFault<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refused ? new EidFault(error.reason) : error;
  }
}

const log = { warn: () => undefined, error: () => undefined };
const isolation = await findIsolation(log);
const isolatedReader = onceAFile(
  () => createAnswerReader({ isolation, log, instruments: noInstruments }),
  (reader) => reader.close(),
);

export const keys = await makeKeys();

/** A simulator for one test, and the adapter under its contract. */
type Given = {
  style?: Style;
  /** What the simulator does wrong, and with which answers. */
  fault?: Fault | null;
  on?: AnswerKind | null;
  timeoutMs?: number | undefined;
  isolated?: boolean | undefined;
  /** The clock of both sides. */
  now?: (() => Date) | undefined;
};
export async function simulated({
  style = 'short',
  fault = null,
  on = null,
  timeoutMs,
  isolated,
  now = () => new Date(),
}: Given = {}) {
  const simulator = await startSimulator({ keys, style, fault, on, port: 0, now });
  onTestFinished(simulator.close);
  return { simulator, idin: idinUnder(simulator.contract, { timeoutMs, isolated, now }) };
}

/** `isolated` reads answers as the product does, in processes of their own, which takes seconds on a busy machine. */
export const idinUnder = (
  contract: IdinContract,
  { timeoutMs, isolated, now = () => new Date() }: Pick<Given, 'timeoutMs' | 'isolated' | 'now'> = {},
): EidProvider =>
  createIdin(contract, {
    reader: isolated ? isolatedReader() : readerHere,
    post: createPost({ timeoutMs }),
    now,
  });

/** A simulator for all tests of a file, and banks for a worker that ask it. `agree` gives an organisation a contract with it. */
export async function simulatedBanks() {
  const { url, contract, close } = await startSimulator({ keys, style: 'short', fault: null, port: 0 });
  atTheEnd(close);
  const banks = {
    under: (text: string) => idinUnder(JSON.parse(text)),
    parseReturn,
    close: async () => undefined,
  } satisfies Banks;
  const { agree, tried } = await agreement(contract);
  /** Has the simulator answer with this fault until the end of the test. */
  const fails = async (fault: Fault, on: AnswerKind) => {
    await setFault(url, { fault, on });
    onTestFinished(() => setFault(url, { fault: '' }));
  };
  return { banks, agree, simulator: tried, fails, works: () => setFault(url, { fault: '' }) };
}

/** The contract with a simulator, as an operator tried it, and a way to give it to an organisation. */
export async function agreement(contract: IdinContract) {
  const tried = {
    text: JSON.stringify(contract),
    certificateEndsAt: new Date(Date.now() + dayMs),
    simulated: isSimulated(contract),
    issuers: await idinUnder(contract).listIssuers(),
  };
  const agree = async (ctx: Pick<Context, 'store' | 'secrets'>, organisation: string) =>
    changeContract(ctx, await operatorAt(ctx.store, organisation), { contract: tried });
  return { tried, agree };
}

/** Chooses a fault of the answers on the first page of the simulator. */
export async function setFault(url: string, form: { fault: Fault | ''; on?: AnswerKind }): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  expect(await answer.text()).toContain(`Fault of its answers: ${form.fault || 'none'}`);
}

/** Begins a transaction. */
export async function begun(idin: EidProvider): Promise<Transaction & { redirectUrl: string }> {
  const requestId = `V${randomUUID().replaceAll('-', '')}`;
  const order = { requestId, issuerId: 'SIMBNL2A', entranceCode: 'entrance1', language: 'nl' as const };
  const opened = await idin.begin({ ...order, returnUrl: 'http://127.0.0.1:9/back', expiresInSeconds: 300 });
  return { ...opened, requestId, issuerId: 'SIMBNL2A' };
}

/** Chooses a bank on the hosted page, and returns the address of the bank's page. */
export async function atBank(user: Pick<ReturnType<typeof person>, 'look' | 'press'>): Promise<string> {
  await user.press('bank', { body: 'bank=SIMBNL2A' });
  const address = () => user.look().then(({ text }) => /href="(http:[^"]+\/bank\/\d+)"/.exec(text)?.[1]);
  const waiting = { timeout: 120_000, interval: 200 };
  return vi.waitFor(async () => (await address()) ?? expect.unreachable('no address yet'), waiting);
}

/** Presses a button on the page of the bank, and returns the address to which it leads. */
export async function press(redirectUrl: string, form: Record<string, string>): Promise<URL> {
  const answer = await fetch(redirectUrl, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  return new URL(answer.headers.get('location') ?? '');
}

/** Begins a transaction, presses a button, and asks how it ended. */
export async function walked(
  { idin }: { idin: EidProvider; simulator: Simulator },
  form: Record<string, string>,
) {
  const transaction = await begun(idin);
  await press(transaction.redirectUrl, form);
  return idin.fetchResult(transaction);
}

export const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error) => (error instanceof EidFault ? error.message : String(error)),
  );
