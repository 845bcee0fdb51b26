import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseReturn } from '#activities/eid/idin/return.ts';
import { begun, idinUnder, press, reasonOf, simulated, walked } from '#test/support/people/idin.ts';
import { type Persona, personas } from '#worker/standalone/idin-simulator/personas.ts';

describe.each(['short', 'long'] as const)('with the %s prefixes of an acquirer', (style) => {
  test('the banks are listed', async () => {
    const { idin } = await simulated({ style });
    expect(await idin.listIssuers()).toEqual([
      { id: 'SIMBNL2A', name: 'Simulated Bank A', country: 'Nederland' },
      { id: 'SIMBNL2B', name: 'Simulated Bank B', country: 'Nederland' },
    ]);
    expect(await idin.health()).toEqual({ works: true, issuers: await idin.listIssuers() });
  });

  test.each(personas.map((each) => [each.id, each] as [string, Persona]))(
    'the attributes of the person %s arrive as the bank has them',
    async (persona, { attributes }) => {
      const result = await walked(await simulated({ style }), { choice: 'success', persona });
      expect(result).toMatchObject({
        status: 'success',
        issuerId: 'SIMBNL2A',
        level: 'substantial',
        complete: true,
      });
      expect(result).toMatchObject({ attributes, subject: expect.stringMatching(/^SIMBIN0099/) });
    },
  );

  test('attributes that the bank lacks make the answer incomplete', async () => {
    const result = await walked(await simulated({ style }), { choice: 'success', fault: 'incomplete' });
    expect(result).toMatchObject({ status: 'success', complete: false });
    expect(result).not.toHaveProperty('attributes.dateofbirth');
  });
});

test('the evidence is the answer as it came, with its hash', async () => {
  const result = await walked(await simulated(), { choice: 'success' });
  if (result.status !== 'success') throw new Error(result.status);
  const { answer, sha256 } = result.evidence;
  expect(String(answer)).toContain('AcquirerStatusRes');
  expect(sha256).toEqual(createHash('sha256').update(answer).digest());
});

test.each([
  ['cancel', 'cancelled'],
  ['expire', 'expired'],
  ['fail', 'failed'],
  ['pending', 'pending'],
])('the button %s leads to %s', async (choice, status) => {
  expect(await walked(await simulated(), { choice })).toEqual({ status });
});

test('a transaction is open until the person decides, and pending may end in success', async () => {
  const { idin } = await simulated();
  const transaction = await begun(idin);
  expect(await idin.fetchResult(transaction)).toEqual({ status: 'open' });
  await press(transaction.redirectUrl, { choice: 'pending' });
  expect(await idin.fetchResult(transaction)).toEqual({ status: 'pending' });
  expect(await idin.fetchResult(transaction)).toMatchObject({ status: 'success' });
});

describe('a bank that made its statement when the person confirmed', () => {
  test.each([
    ['5:10 later, as the timer does', 310, 'success'],
    ['10:20 later', 620, 'success'],
    ['10:40 later, when the conditions are over', 640, 'conditions_over'],
    ['a day later', 86_400, 'conditions_over'],
  ])('and is asked %s (%s seconds), gives %s', async (_, seconds, outcome) => {
    let at = Date.now();
    const { idin } = await simulated({ now: () => new Date(at) });
    const transaction = await begun(idin);
    await press(transaction.redirectUrl, { choice: 'success' });
    at += seconds * 1_000;
    const asked = idin.fetchResult(transaction).then(
      ({ status }) => status,
      ({ message }) => message,
    );
    expect(await asked).toBe(outcome);
  });
});

test.each([
  ['58 minutes', 58 * 60, 'success'],
  ['57 minutes', 57 * 60, 'not_yet_valid'],
])(
  'a statement that holds from an hour on is not used before: asked %s later (%s s), it gives %s',
  async (_, seconds, outcome) => {
    let at = Date.now();
    const { idin } = await simulated({ now: () => new Date(at) });
    const transaction = await begun(idin);
    await press(transaction.redirectUrl, { choice: 'success', fault: 'not-yet' });
    expect(await reasonOf(idin.fetchResult(transaction))).toBe('not_yet_valid');
    at += seconds * 1_000;
    const asked = idin.fetchResult(transaction).then(
      ({ status }) => status,
      ({ message }) => message,
    );
    expect(await asked).toBe(outcome);
  },
);

test('the person comes back with the transaction and the entrance code', async () => {
  const { idin } = await simulated();
  const { redirectUrl, transactionId } = await begun(idin);
  const back = await press(redirectUrl, { choice: 'success' });
  expect(parseReturn(back.searchParams)).toEqual({ transactionId, entranceCode: 'entrance1' });
  const trxid = `trxid=${transactionId}`;
  for (const query of [
    'trxid=1&ec=x',
    `${trxid}&ec=<x>`,
    `${trxid}&ec=x&ec=y`,
    `${trxid}&${trxid}&ec=x`,
    trxid,
  ])
    expect(parseReturn(new URLSearchParams(query)), query).toBeUndefined();
});

test('an acquirer that is away is named so, and says nothing about the person', async () => {
  const { idin, simulator } = await simulated();
  const transaction = await begun(idin);
  await simulator.close();
  expect(await reasonOf(idin.fetchResult(transaction))).toBe('unreachable');
  expect(await idin.health()).toEqual({ works: false, reason: 'unreachable' });
});

test('a contract with the certificate of another acquirer trusts no answer', async () => {
  const { simulator } = await simulated();
  const { contract } = simulator;
  const idin = idinUnder({ ...contract, acquirerCertificates: [contract.certificate] });
  expect(await reasonOf(idin.listIssuers())).toBe('outer_signature');
});

test('while an acquirer changes its certificate, the old and the new one both hold', async () => {
  const { simulator } = await simulated();
  const { contract } = simulator;
  const idin = idinUnder({
    ...contract,
    acquirerCertificates: [contract.certificate, ...contract.acquirerCertificates],
  });
  expect(await idin.listIssuers()).toHaveLength(2);
});
