import { describe, expect, onTestFinished, test } from 'vitest';
import { addressRules } from '#platform/addresses.ts';
import { systemClock } from '#platform/clock.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { begun, press, reasonOf, simulated, walked } from '#test/support/idin.ts';
import { startEngines } from '#worker/engines.ts';
import {
  type AnswerKind,
  answerKinds,
  type Fault,
  faultNames,
  faultsOf,
} from '#worker/standalone/idin-simulator/faults.ts';

/** Faults of any answer, and the reason of the refusal. */
const everywhere = {
  'bad-outer-signature': 'outer_signature',
  unsigned: 'outer_signature',
  'foreign-key': 'outer_signature',
  'second-outer-signature': 'outer_signature',
  'rsa-sha1': 'outer_signature',
  'sha1-digest': 'outer_signature',
  'inclusive-canonicalisation': 'outer_signature',
  hmac: 'outer_signature',
  'other-message': 'unexpected_message',
  error: 'acquirer_error SO1000',
  stale: 'wrong_time',
  doctype: 'forbidden_markup',
  comment: 'forbidden_markup',
  'processing-instruction': 'forbidden_markup',
  cdata: 'forbidden_markup',
  'entity-bomb': 'forbidden_markup',
  'http-500': 'http_error 500',
  slow: 'late',
  truncated: 'not_xml',
  large: 'too_large',
} satisfies Partial<Record<Fault, string>>;

/** Every fault of each kind of answer. `incomplete` is none: an answer may lack attributes. */
const reasons: Record<AnswerKind, Partial<Record<Fault, string>>> = {
  directory: { ...everywhere, 'no-banks': 'schema', 'bad-bank-id': 'schema' },
  transaction: {
    ...everywhere,
    'bad-bank-address': 'bad_address',
    'open-bank-address': 'bad_address',
    'bad-transaction-id': 'schema',
  },
  status: {
    ...everywhere,
    'bad-transaction-id': 'schema',
    'bad-assertion-signature': 'assertion_signature',
    'bank-certificate-over': 'assertion_signature',
    'unsigned-assertion': 'assertion_signature',
    'two-signatures': 'schema',
    'xsw-sibling-before': 'schema',
    'xsw-sibling-after': 'schema',
    'xsw-inside': 'schema',
    'xsw-in-object': 'schema',
    'xsw-forged-in-object': 'schema',
    'xsw-same-id': 'schema',
    'xsw-in-subject': 'schema',
    'wrong-audience': 'wrong_audience',
    expired: 'conditions_over',
    'not-yet': 'not_yet_valid',
    'other-request': 'wrong_request',
    replayed: 'wrong_transaction',
    'other-bank': 'wrong_issuer',
    'low-level': 'wrong_level',
    mismatch: 'status_mismatch',
    bsn: 'wrong_attributes',
    'wrong-birth-date': 'wrong_attributes',
    undecryptable: 'not_decryptable',
    'comment-in-value': 'forbidden_markup',
    'doctype-in-value': 'forbidden_markup',
    'no-container': 'missing_container',
  },
};

const faultOf = (name: string): Fault => faultNames.find((each) => each === name) ?? expect.unreachable(name);
const timeOf = (fault: string) => (fault === 'slow' ? { timeoutMs: 500 } : {});

describe.each(['short', 'long'] as const)('with the %s prefixes of an acquirer', (style) => {
  test.each(Object.entries(reasons.status))(
    'the fault %s that a person chose at the bank is refused as %s',
    async (fault, reason) => {
      const bank = await simulated({ style, ...timeOf(fault) });
      expect(await reasonOf(walked(bank, { choice: 'success', fault }))).toBe(reason);
    },
  );

  test.each(Object.entries(reasons.transaction))(
    'the fault %s of the answer about a new transaction is refused as %s',
    async (fault, reason) => {
      const { idin } = await simulated({ style, fault: faultOf(fault), ...timeOf(fault) });
      expect(await reasonOf(begun(idin))).toBe(reason);
    },
  );

  test.each(Object.entries(reasons.directory))(
    'the fault %s of the list of banks is refused as %s',
    async (fault, reason) => {
      const { idin } = await simulated({ style, fault: faultOf(fault), ...timeOf(fault) });
      expect(await reasonOf(idin.listIssuers())).toBe(reason);
    },
  );
});

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
