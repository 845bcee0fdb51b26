import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { addressRules } from '#platform/outbound/addresses.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { begun, press, reasonOf, simulated } from '#test/support/people/idin.ts';
import { startEngines } from '#worker/process/engines.ts';
import { answerKinds, faultsOf } from '#worker/standalone/idin-simulator/faults.ts';
import { eachFault, reasons } from './each-fault.ts';

eachFault('short');

test.each(answerKinds)('every fault of the simulator with the answer %s has a test', (kind) => {
  const tested = Object.keys(reasons[kind]).concat(kind === 'status' ? 'incomplete' : []);
  expect(tested.sort()).toEqual(faultsOf(kind).sort());
});

test('a fault of one kind of answers leaves the others as they are', async () => {
  const { idin } = await simulated({ fault: 'http-500', on: 'transaction' });
  expect(await idin.listIssuers()).toHaveLength(2);
  expect(await reasonOf(begun(idin))).toBe('http_error 500');
});

test('a fault that is set on the first page of the simulator holds from then on, until another is set', async () => {
  const { simulator, idin } = await simulated();
  const set = (form: Record<string, string>) =>
    fetch(simulator.url, { method: 'POST', body: new URLSearchParams(form) }).then((answer) => answer.text());
  expect(await set({ fault: 'stale', on: 'directory' })).toContain('Fault of its answers: stale');
  expect(await reasonOf(idin.listIssuers())).toBe('wrong_time');
  const transaction = await begun(idin);
  await set({ fault: 'error', on: '' });
  expect(await reasonOf(begun(idin))).toBe('acquirer_error SO1000');
  expect(await reasonOf(idin.fetchResult(transaction))).toBe('acquirer_error SO1000');
  const page = await (await fetch(transaction.redirectUrl)).text();
  expect(page, 'the page of the bank offers it for this transaction').toContain('value="error" selected');
  expect(page, 'and no fault of other answers').not.toContain('bad-bank-address');
  await set({ fault: '', on: '' });
  await press(transaction.redirectUrl, { choice: 'cancel', fault: '' });
  expect(await idin.fetchResult(transaction)).toEqual({ status: 'cancelled' });
});

test.each([
  ['is in time', 0, 'accepted'],
  ['comes from the future', -3, 'wrong_time'],
  ['is hours old', 3, 'wrong_time'],
])('the clock of the database, and not of the machine, says that an answer %s', async (_, hours, reason) => {
  const { simulator } = await simulated();
  const log = { warn: () => undefined, error: () => undefined };
  const clock = { ...systemClock, now: () => new Date(Date.now() + hours * 3_600_000) };
  const isolated = { isolation: await findIsolation(log), log, instruments: noInstruments };
  const { parts, close } = startEngines(isolated, {
    ...{ addresses: addressRules([]), clock, income: { signedTypes: [] } },
  });
  onTestFinished(async () => void (await close()));
  expect(await reasonOf(parts.banks.under(JSON.stringify(simulator.contract)).listIssuers())).toBe(reason);
});
