import { X509Certificate } from 'node:crypto';
import type { XmlElement } from 'libxml2-wasm';
import { attributePrefix, clockToleranceMs, statusCodes, substantial } from '../names.ts';
import { Refused } from './refused.ts';
import { elementsAt, optionalTextAt, parsedAssertion, textAt } from './schema.ts';
import { signedAssertion } from './signatures.ts';

/** What is known of the transaction. */
export type Expected = { transactionId: string; requestId: string; issuerId: string; legalId: string };

/** A value that the bank encrypted: the key under our certificate, the value under that key, both as base64. */
export type Sealed = { key: string; value: string; prefixes: Record<string, string> };

/** A statement of a bank about a person, after all checks that need no key of ours. */
export type Confirmation = {
  issuerId: string;
  complete: boolean;
  deliveredService: number | null;
  sealed: Sealed[];
};

/** Time for a person who does not come back: the answer is then asked for after the transaction is over. */
const conditionsToleranceMs = 10 * 60_000;

type Circumstances = { expected: Expected; now: number; certificates: readonly string[] };

/**
 * Checks the response of a successful transaction in this order: status, request, signature of the assertion, its issuer, its
 * conditions and its level. Only then are the encrypted values of any use, because their encryption proves nothing by itself.
 */
export function confirmation(
  response: XmlElement,
  covered: string,
  { expected, now, certificates }: Circumstances,
): Confirmation {
  const complete = isComplete(response);
  if (attribute(response, 'InResponseTo') !== expected.requestId) throw new Refused('wrong_request');
  const assertion = verifiedAssertion(response, covered, { now, certificates });
  if (textAt(assertion, 'saml:Issuer') !== expected.issuerId) throw new Refused('wrong_issuer');
  const authority = optionalTextAt(
    assertion,
    'saml:AuthnStatement/saml:AuthnContext/saml:AuthenticatingAuthority',
  );
  if (authority !== undefined && authority !== expected.issuerId) throw new Refused('wrong_issuer');
  checkConditions(assertion, expected.legalId, now);
  if (textAt(assertion, 'saml:AuthnStatement/saml:AuthnContext/saml:AuthnContextClassRef') !== substantial)
    throw new Refused('wrong_level');
  return {
    issuerId: expected.issuerId,
    complete,
    deliveredService: deliveredServiceOf(assertion),
    sealed: elementsAt(assertion, './/xenc:EncryptedData').map(sealedOf),
  };
}

/** The second code says whether the bank had all that was asked for. Any other code contradicts the status of the transaction. */
function isComplete(response: XmlElement): boolean {
  const [first, second] = [
    'samlp:Status/samlp:StatusCode',
    'samlp:Status/samlp:StatusCode/samlp:StatusCode',
  ].map((path) => {
    const [code] = elementsAt(response, path);
    return code && attribute(code, 'Value');
  });
  if (first !== statusCodes.success) throw new Refused('status_mismatch');
  if (second === undefined || second === statusCodes.complete) return true;
  if (second === statusCodes.incomplete) return false;
  throw new Refused('status_mismatch');
}

/**
 * The acquirer's signature covers the certificate in the assertion, so it vouches for the bank's key. The assertion is read from the
 * bytes that the bank signed, not from the message.
 */
function verifiedAssertion(
  response: XmlElement,
  covered: string,
  { now, certificates }: Pick<Circumstances, 'now' | 'certificates'>,
): XmlElement {
  const [assertion] = elementsAt(response, 'saml:Assertion');
  if (assertion === undefined) throw new Refused('missing_container');
  const given = optionalTextAt(assertion, 'ds:Signature/ds:KeyInfo/ds:X509Data/ds:X509Certificate');
  const trusted = given === undefined ? certificates : [usable(given, now)];
  const id = attribute(assertion, 'ID') ?? '';
  return parsedAssertion(signedAssertion(covered, id, trusted));
}

const rsaBitsMin = 2048;

function usable(base64: string, now: number): string {
  try {
    const read = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = read.publicKey;
    const isStrong = type === 'rsa' && (details?.modulusLength ?? 0) >= rsaBitsMin;
    const isValid = Date.parse(read.validFrom) <= now && now <= Date.parse(read.validTo);
    if (isStrong && isValid) return read.toString();
  } catch {
    // No certificate.
  }
  throw new Refused('assertion_signature');
}

function checkConditions(assertion: XmlElement, legalId: string, now: number): void {
  const [conditions] = elementsAt(assertion, 'saml:Conditions');
  if (conditions === undefined) throw new Refused('schema');
  if (textAt(conditions, 'saml:AudienceRestriction/saml:Audience') !== legalId)
    throw new Refused('wrong_audience');
  const notBefore = Date.parse(attribute(conditions, 'NotBefore') ?? '');
  const notOnOrAfter = Date.parse(attribute(conditions, 'NotOnOrAfter') ?? '');
  const endsAt = notOnOrAfter + conditionsToleranceMs;
  // A statement that begins and ends at no time, or ends before it begins, never holds.
  if (!(now < endsAt && notBefore < endsAt)) throw new Refused('conditions_over');
  if (now < notBefore - clockToleranceMs) throw new Refused('not_yet_valid');
}

function deliveredServiceOf(assertion: XmlElement): number | null {
  const name = `${attributePrefix}bankid.deliveredserviceid`;
  const path = `saml:AttributeStatement/saml:Attribute[@Name='${name}']/saml:AttributeValue`;
  const given = optionalTextAt(assertion, path);
  if (given === undefined) return null;
  if (!/^\d{1,5}$/.test(given)) throw new Refused('wrong_attributes');
  return Number(given);
}

/** The key lies within the data or beside them. Both forms are in use. */
export function sealedOf(data: XmlElement): Sealed {
  const within = 'ds:KeyInfo/xenc:EncryptedKey/xenc:CipherData/xenc:CipherValue';
  const beside = '../xenc:EncryptedKey/xenc:CipherData/xenc:CipherValue';
  const key = optionalTextAt(data, within) ?? optionalTextAt(data, beside);
  if (key === undefined) throw new Refused('not_decryptable');
  const { '': _, ...prefixes } = data.namespaces;
  return { key, value: textAt(data, 'xenc:CipherData/xenc:CipherValue'), prefixes };
}

const attribute = (element: XmlElement, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name && each.namespaceUri === '')?.content;
