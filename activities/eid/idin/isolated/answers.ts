import type { XmlElement } from 'libxml2-wasm';
import type { Issuer } from '../../port.ts';
import { clockToleranceMs, namespaces } from '../names.ts';
import { type Confirmation, confirmation, type Expected } from './confirmation.ts';
import { plainMarkup } from './markup.ts';
import { Refused } from './refused.ts';
import { elementsAt, optionalTextAt, parsedMessage, textAt } from './schema.ts';
import { signaturesIn, signedMessage } from './signatures.ts';

/** What an answer to a request of each kind says. */
export type Answer =
  | { kind: 'error'; code: string }
  | { kind: 'directory'; issuers: Issuer[] }
  | { kind: 'transaction'; transactionId: string; redirectUrl: string }
  | { kind: 'status'; status: string; confirmation: Confirmation | null };

export type Question = {
  kind: 'directory' | 'transaction' | 'status';
  /** Milliseconds since 1970. */
  now: number;
  /** The acquirer's certificates. */
  certificates: string[];
  expected: Expected | null;
};

const roots = {
  directory: 'DirectoryRes',
  transaction: 'AcquirerTrxRes',
  status: 'AcquirerStatusRes',
  error: 'AcquirerErrorRes',
} as const;

/**
 * Reads an answer of the acquirer. First its signature is verified. All that follows reads the bytes that this signature covers.
 * Throws `Refused`.
 */
export function readAnswer(bytes: Uint8Array, question: Question): Answer {
  const covered = signedMessage(plainMarkup(bytes), question.certificates);
  const message = parsedMessage(covered);
  const { name, namespaceUri } = message;
  if (namespaceUri !== namespaces.idx) throw new Refused('unexpected_message');
  const created = Date.parse(textAt(message, 'idx:createDateTimestamp'));
  if (Math.abs(created - question.now) > clockToleranceMs) throw new Refused('wrong_time');
  if (name === roots.error) return { kind: 'error', code: textAt(message, 'idx:Error/idx:errorCode') };
  if (name !== roots[question.kind]) throw new Refused('unexpected_message');
  switch (question.kind) {
    case 'directory':
      return { kind: 'directory', issuers: issuersOf(message) };
    case 'transaction':
      return {
        kind: 'transaction',
        transactionId: textAt(message, 'idx:Transaction/idx:transactionID'),
        redirectUrl: textAt(message, 'idx:Issuer/idx:issuerAuthenticationURL'),
      };
    case 'status':
      return statusOf(message, covered, question);
  }
}

const issuersOf = (message: XmlElement): Issuer[] =>
  elementsAt(message, 'idx:Directory/idx:Country').flatMap((country) =>
    elementsAt(country, 'idx:Issuer').map((issuer) => ({
      id: textAt(issuer, 'idx:issuerID'),
      name: textAt(issuer, 'idx:issuerName'),
      country: textAt(country, 'idx:countryNames'),
    })),
  );

function statusOf(message: XmlElement, covered: string, { expected, now, certificates }: Question): Answer {
  if (expected === null) throw new Refused('unexpected_message');
  const transaction = 'idx:Transaction';
  if (textAt(message, `${transaction}/idx:transactionID`) !== expected.transactionId)
    throw new Refused('wrong_transaction');
  const status = textAt(message, `${transaction}/idx:status`);
  const [response] = elementsAt(message, `${transaction}/idx:container/samlp:Response`);
  if (status !== 'Success') {
    // A statement about a person has no place beside any other status.
    if (signaturesIn(covered) > 0 || (response && optionalTextAt(response, 'saml:Assertion') !== undefined))
      throw new Refused('status_mismatch');
    return { kind: 'status', status, confirmation: null };
  }
  if (response === undefined) throw new Refused('missing_container');
  return {
    kind: 'status',
    status,
    confirmation: confirmation(response, covered, { expected, now, certificates }),
  };
}
