import { namespaces, statusCodes } from '#activities/eid/idin/names.ts';
import { hourMs } from '#contract/time.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import type { Statement } from './messages.ts';
import { type SignatureAlgorithms, weak } from './weak-signatures.ts';

/** The answers of an acquirer, by what it was asked for: its banks, a new transaction, how a transaction ended. */
export const answerKinds = ['directory', 'transaction', 'status'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/**
 * What the simulator can do wrong, by name, so that a client can be tested with it. Each row changes one stage of an answer. The stages
 * after it are made as always, so for example the acquirer signs a forged assertion.
 */
export type FaultRow = {
  meaning: string;
  /** The answers that can have it. By default the one about a successful transaction. */
  on?: readonly AnswerKind[];
  /** Changes what the bank states, before it signs. */
  statement?(statement: Statement, now: Date): Partial<Statement>;
  /** Changes the signed assertion, before it is put into the response. */
  assertion?(assertion: string): string;
  /** Changes each value that the bank states, before it encrypts it. */
  sealed?(element: string): string;
  /** Changes the message, before the acquirer signs. */
  message?(message: string): string;
  /** The acquirer signs with these algorithms. */
  algorithms?: Partial<SignatureAlgorithms>;
  /** Changes what the acquirer signed. */
  answer?(answer: string): string;
  /** Leaves the container out, answers with an error, or answers another question. */
  instead?: 'no_container' | 'error' | 'other_message';
  /** The address of the bank's page that the acquirer names. */
  page?: string;
  /** What happens on the wire. */
  wire?: 'http_500' | 'slow' | 'truncated' | 'large';
};

const later = (date: Date, ms: number) => new Date(date.getTime() + ms);

/** An assertion about somebody else, without a valid signature. */
const forged = (assertion: string): string =>
  assertion.replace(/ID="VS-/, 'ID="FORGED-').replace(/<(?:\w+:)?Signature[ >].*<\/(?:\w+:)?Signature>/s, '');

const beforeEnd = (xml: string, name: string, inserted: string): string => {
  const place = xml.search(closing(name));
  return xml.slice(0, place) + inserted + xml.slice(place);
};
const closings: Readonly<Record<string, RegExp>> = {
  Assertion: /<\/(?:\w+:)?Assertion>$/,
  Signature: /<\/(?:\w+:)?Signature>/,
  Subject: /<\/(?:\w+:)?Subject>/,
};
const closing = (name: string): RegExp => closings[name] ?? /$/;

const dsObject = (content: string) => `<Object xmlns="${namespaces.ds}">${content}</Object>`;
const signatureOf = (assertion: string): string =>
  /<(?:\w+:)?Signature[ >].*<\/(?:\w+:)?Signature>/s.exec(assertion)?.[0] ?? '';

/** The signature of the message is the last one in it. */
function withoutLastSignature(answer: string): string {
  const start = Math.max(answer.lastIndexOf('<Signature '), answer.lastIndexOf('<ds:Signature '));
  return answer.slice(0, start) + answer.slice(answer.lastIndexOf('</'));
}

const every = answerKinds;

export const faults = {
  'bad-outer-signature': {
    meaning: 'the message is changed after the acquirer signed it',
    on: every,
    answer: (answer) => answer.replace('>0099<', '>0098<'),
  },
  unsigned: {
    meaning: 'the acquirer does not sign',
    on: every,
    answer: withoutLastSignature,
  },
  'foreign-key': { meaning: 'somebody else signs as the acquirer', on: every },
  'second-outer-signature': {
    meaning: 'the message carries a second signature beside that of the acquirer',
    on: every,
    message: (message) => {
      const end = message.lastIndexOf('</');
      return `${message.slice(0, end)}<Signature xmlns="${namespaces.ds}"/>${message.slice(end)}`;
    },
  },
  'rsa-sha1': { meaning: 'the acquirer signs with RSA-SHA1', on: every, algorithms: weak.rsaSha1 },
  'sha1-digest': { meaning: 'the signature has a SHA-1 digest', on: every, algorithms: weak.sha1Digest },
  'inclusive-canonicalisation': {
    meaning: 'the signature is over inclusive canonical XML',
    on: every,
    algorithms: weak.inclusive,
  },
  hmac: {
    meaning: 'the signature is an HMAC, with the certificate of the acquirer as its key',
    on: every,
    algorithms: weak.hmac,
  },
  'other-message': { meaning: 'the message answers another question', on: every, instead: 'other_message' },
  'no-banks': {
    meaning: 'the acquirer names a country without banks',
    on: ['directory'],
    message: (message) => message.replace(/<(?:\w+:)?Issuer>.*<\/(?:\w+:)?Issuer>/, ''),
  },
  'bad-bank-id': {
    meaning: 'the id of a bank is no BIC',
    on: ['directory'],
    message: (message) => message.replace('SIMBNL2A', 'A bank'),
  },
  'bad-bank-address': {
    meaning: 'the address of the page of the bank is a script',
    on: ['transaction'],
    page: 'javascript:alert(1)',
  },
  'open-bank-address': {
    meaning: 'the page of the bank is on another machine, without TLS',
    on: ['transaction'],
    page: 'http://bank.example/login',
  },
  'bad-transaction-id': {
    meaning: 'the name of the transaction is no number',
    on: ['transaction', 'status'],
    message: (message) => message.replace(/(transactionID>)\d{16}/, '$1number sixteen'),
  },
  'bad-assertion-signature': {
    meaning: 'the assertion is changed after the bank signed it',
    assertion: (assertion) => assertion.replace(/AuthnInstant="\d{4}/, 'AuthnInstant="2001'),
  },
  'bank-certificate-over': { meaning: 'the certificate of the bank is no longer valid' },
  'unsigned-assertion': { meaning: 'the bank does not sign', assertion: forged },
  'xsw-sibling-before': {
    meaning: 'a forged assertion stands before the signed one',
    assertion: (assertion) => forged(assertion) + assertion,
  },
  'xsw-sibling-after': {
    meaning: 'a forged assertion stands after the signed one',
    assertion: (assertion) => assertion + forged(assertion),
  },
  'xsw-inside': {
    meaning: 'the signed assertion lies within a forged one, which is read first',
    assertion: (assertion) => beforeEnd(forged(assertion), 'Assertion', assertion),
  },
  'xsw-in-object': {
    meaning: 'a forged assertion carries the signature, which carries the signed assertion as an object',
    assertion: (assertion) => {
      const bare = assertion.replace(signatureOf(assertion), '');
      const signature = beforeEnd(signatureOf(assertion), 'Signature', dsObject(bare));
      return forged(assertion).replace(/(<\/(?:\w+:)?Issuer>)/, (end) => end + signature);
    },
  },
  'xsw-forged-in-object': {
    meaning: 'a forged assertion lies in an object of the signature',
    assertion: (assertion) =>
      assertion.replace(
        signatureOf(assertion),
        beforeEnd(signatureOf(assertion), 'Signature', dsObject(forged(assertion))),
      ),
  },
  'xsw-same-id': {
    meaning: 'two assertions have the same id',
    assertion: (assertion) => forged(assertion).replace('ID="FORGED-', 'ID="VS-') + assertion,
  },
  'xsw-in-subject': {
    meaning: 'the signed assertion lies in the subject of a forged one',
    assertion: (assertion) => beforeEnd(forged(assertion), 'Subject', assertion),
  },
  'two-signatures': {
    meaning: 'the assertion carries the signature of the bank twice',
    assertion: (assertion) => assertion.replace(signatureOf(assertion), (one) => one + one),
  },
  'wrong-audience': {
    meaning: 'the statement is for another merchant',
    statement: () => ({ audience: 'NL99OTHER0000001' }),
  },
  expired: {
    meaning: 'the conditions of the statement ended an hour ago',
    statement: ({ notBefore, notOnOrAfter }) => ({
      notBefore: later(notBefore, -hourMs),
      notOnOrAfter: later(notOnOrAfter, -hourMs),
    }),
  },
  'not-yet': {
    meaning: 'the conditions of the statement begin in an hour',
    statement: ({ notBefore, notOnOrAfter }) => ({
      notBefore: later(notBefore, hourMs),
      notOnOrAfter: later(notOnOrAfter, hourMs),
    }),
  },
  'other-request': {
    meaning: 'the statement answers another request',
    statement: () => ({ requestId: 'ANOTHER' }),
  },
  replayed: { meaning: 'the answer is about another transaction' },
  'other-bank': { meaning: 'another bank makes the statement', statement: () => ({ issuerId: 'SIMBNL2C' }) },
  'low-level': {
    meaning: 'the level is lower than the one asked for',
    statement: () => ({ level: 'nl:bvn:bankid:1.0:loa2' }),
  },
  incomplete: {
    meaning: 'the bank does not have all attributes (IncompleteAttributeSet)',
    statement: ({ attributes: { dateofbirth: _, ...rest } }) => ({
      attributes: rest,
      secondCode: statusCodes.incomplete,
    }),
  },
  mismatch: {
    meaning: 'the status of the statement contradicts that of the transaction (MismatchWithIDx)',
    statement: () => ({ secondCode: 'urn:nl:bvn:bankid:1.0:status:MismatchWithIDx' }),
  },
  bsn: {
    meaning: 'the bank gives a BSN, which nobody asked for',
    statement: ({ attributes }) => ({ attributes: { ...attributes, bsn: '000000000' } }),
  },
  'wrong-birth-date': {
    meaning: 'the date of birth is no date',
    statement: ({ attributes }) => ({ attributes: { ...attributes, dateofbirth: '19801345' } }),
  },
  undecryptable: {
    meaning: 'the attributes are encrypted for somebody else',
  },
  'comment-in-value': {
    meaning: 'a comment splits a value that the bank encrypts',
    sealed: (element) => element.replace(/(?<=<(?:\w+:)?(?:AttributeValue|NameID)[^>]*>.)/u, '<!-- -->'),
  },
  'doctype-in-value': {
    meaning: 'a value that the bank encrypts has a document type',
    sealed: (element) => `<!DOCTYPE x>${element}`,
  },
  'no-container': {
    meaning: 'the transaction succeeded, and the statement is missing',
    instead: 'no_container',
  },
  error: { meaning: 'the acquirer answers with an error', on: every, instead: 'error' },
  stale: { meaning: 'the acquirer made the message an hour ago', on: every },
  doctype: {
    meaning: 'the message has a document type',
    on: every,
    answer: (answer) => `<!DOCTYPE x>${answer}`,
  },
  comment: {
    meaning: 'a comment splits a value, which the signature does not cover',
    on: every,
    answer: (answer) => answer.replace('>0099<', '>00<!-- -->99<'),
  },
  'processing-instruction': {
    meaning: 'a processing instruction splits a value',
    on: every,
    answer: (answer) => answer.replace('>0099<', '>00<?x y?>99<'),
  },
  cdata: {
    meaning: 'a value is a CDATA section',
    on: every,
    answer: (answer) => answer.replace('>0099<', '><![CDATA[0099]]><'),
  },
  'entity-bomb': {
    meaning: 'entities that grow to gigabytes',
    on: every,
    answer: (answer) => bomb + answer.replace('>0099<', '>&i;<'),
  },
  'http-500': { meaning: 'the acquirer answers 500', on: every, wire: 'http_500' },
  slow: { meaning: 'the acquirer does not answer in time', on: every, wire: 'slow' },
  truncated: { meaning: 'the answer ends in the middle', on: every, wire: 'truncated' },
  large: { meaning: 'the answer has 50 MB', on: every, wire: 'large' },
} satisfies Record<string, FaultRow>;

const bomb = `<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">${[...'bcdefghi']
  .map((name, place) => `<!ENTITY ${name} "${`&${'abcdefgh'[place]};`.repeat(10)}">`)
  .join('')}]>`;

export type Fault = keyof typeof faults;
export const faultNames = Object.keys(faults) as Fault[];
export const faultOf = (name: string | null): Fault | null =>
  faultNames.find((each) => each === name) ?? null;
export const faultsOf = (kind: AnswerKind): Fault[] => faultNames.filter((each) => canHave(each, kind));
export const canHave = (fault: Fault, kind: AnswerKind): boolean =>
  (faultRow(fault).on ?? ['status']).includes(kind);
export const faultRow = (fault: Fault | null): FaultRow => (fault === null ? { meaning: '' } : faults[fault]);

/** A name for a transaction that nobody began. */
export const otherTransaction = (id: string): string =>
  `0099${(BigInt(`0x${sha256Hex(id).slice(0, 12)}`) % 10n ** 12n).toString().padStart(12, '0')}`;
