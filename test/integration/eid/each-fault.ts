import { describe, expect, test } from 'vitest';
import { begun, reasonOf, simulated, walked } from '#test/support/people/idin.ts';
import { type AnswerKind, type Fault, faultNames } from '#worker/standalone/idin-simulator/faults.ts';

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
export const reasons: Record<AnswerKind, Partial<Record<Fault, string>>> = {
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

/** One test for each fault, with the prefixes that one kind of acquirers writes. */
export const eachFault = (style: 'short' | 'long') =>
  describe(`with the ${style} prefixes of an acquirer`, () => {
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
