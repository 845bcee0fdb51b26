import { describe, expect, test } from 'vitest';
import { createIdin } from '#activities/eid/idin/adapter.ts';
import { signedAssertion, signedMessage } from '#activities/eid/idin/isolated/signatures.ts';
import { namespaces } from '#activities/eid/idin/names.ts';
import { keyName } from '#activities/eid/idin/sign.ts';
import { keys, readerHere, reasonOf } from '#test/support/people/idin.ts';
import type { Fault } from '#worker/standalone/idin-simulator/faults.ts';
import { makePair, type SimulatorKeys } from '#worker/standalone/idin-simulator/keys.ts';
import { contractAt } from '#worker/standalone/idin-simulator/merchant.ts';
import { assertionOf, messagesIn, statementOf } from '#worker/standalone/idin-simulator/messages.ts';
import { personaOf } from '#worker/standalone/idin-simulator/personas.ts';
import { statusAnswer } from '#worker/standalone/idin-simulator/status-answer.ts';
import { weak, weaklySigned } from '#worker/standalone/idin-simulator/weak-signatures.ts';

/** The rules of signatures one by one, and the order of the checks, each where no other check stands before it. */

const now = new Date();
const transaction = { id: '0099000000000001', requestId: 'V1', issuerId: 'SIMBNL2A' };
const id = `VS-${transaction.id}`;
const statement = statementOf(transaction, {}, now);

const unsigned = (xml: string): string => xml.replace(/<Signature .*<\/Signature>/s, '');
const message = messagesIn('short', keys).directory(now);
const assertion = await assertionOf(transaction.id, statement, { style: 'short', keys, now });
const inAssertion = {
  reference: "/*[local-name(.)='Assertion']",
  location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' as const },
};

type Changed = Parameters<typeof weaklySigned>[2];
const asAcquirer = (changed: Changed) =>
  weaklySigned(message, { ...keys.acquirer, keyInfo: keyName('x') }, changed);
const [signature = ''] = /<Signature .*<\/Signature>/s.exec(assertion) ?? [];
const beforeEnd = (xml: string, part: string): string => xml.replace(/<\/[\w:]+>$/, (end) => part + end);
const asBank = (changed: Changed, xml = unsigned(assertion)) =>
  weaklySigned(xml, { ...keys.bank, keyInfo: keyName('x') }, changed, inAssertion);

const verifiedMessage = (xml: string) => signedMessage(xml, [keys.acquirer.certificate]);
/** An assertion lies within a message. */
const verifiedAssertion = (xml: string) =>
  signedAssertion(`<message>${xml}</message>`, id, [keys.bank.certificate]);

test('what is signed with the algorithms of iDIN is verified', () => {
  expect(verifiedMessage(asAcquirer({}))).toBe(message);
  expect(verifiedAssertion(asBank({}))).toBe(verifiedAssertion(assertion));
});

describe.each(Object.entries(weak))('a signature with %s', (_, changed) => {
  test('of the acquirer is refused, although its key made it', () => {
    expect(() => verifiedMessage(asAcquirer(changed))).toThrow('outer_signature');
  });

  test('of the bank is refused, although its key made it', () => {
    expect(() => verifiedAssertion(asBank(changed))).toThrow('assertion_signature');
  });
});

test.each([
  ['that is there twice', () => assertion.replace(signature, signature + signature)],
  [
    'over a second one',
    () => asBank({}, beforeEnd(unsigned(assertion), `<Signature xmlns="${namespaces.ds}"/>`)),
  ],
])('an assertion with a valid signature %s is refused', (_, made) => {
  expect(() => verifiedAssertion(made())).toThrow('assertion_signature');
});

describe('of two things that are wrong, the answer is refused for the first in the order of the checks', () => {
  const stranger = makePair('Stranger');
  const pastBank = makePair('A bank of yesterday', -1);
  /** What the reader says about an answer whose parties have these keys. */
  const reasonWith = async (fault: Fault, others: Partial<SimulatorKeys>) => {
    const wrong = { ...transaction, persona: personaOf('plain'), fault };
    const answer = await statusAnswer(wrong, 'Success', {
      style: 'short',
      keys: { ...keys, ...others },
      now,
    });
    const idin = createIdin(contractAt('http://127.0.0.1:9', keys), {
      reader: readerHere,
      post: async () => Buffer.from(answer),
      now: () => now,
    });
    return reasonOf(idin.fetchResult({ transactionId: transaction.id, ...transaction }));
  };

  test('the signature of the acquirer before that of the bank', async () => {
    const acquirer = await stranger;
    expect(await reasonWith('bad-assertion-signature', { acquirer })).toBe('outer_signature');
  });

  test('the signature of the bank before the conditions', async () => {
    const bank = await pastBank;
    expect(await reasonWith('wrong-audience', { bank })).toBe('assertion_signature');
    expect(await reasonWith('expired', { bank })).toBe('assertion_signature');
  });

  test.each([
    ['wrong-audience', 'wrong_audience'],
    ['expired', 'conditions_over'],
    ['not-yet', 'not_yet_valid'],
    ['low-level', 'wrong_level'],
    ['other-bank', 'wrong_issuer'],
  ] as const)('%s before the values, which nobody could decrypt', async (fault, reason) => {
    const merchant = await stranger;
    expect(await reasonWith(fault, { merchant })).toBe(reason);
    expect(await reasonWith('incomplete', { merchant })).toBe('not_decryptable');
  });
});
