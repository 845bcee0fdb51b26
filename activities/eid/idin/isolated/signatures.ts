import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto';
import type { Refusal } from '../../port.ts';
import { algorithms, namespaces } from '../names.ts';
import { orRefused, Refused } from './refused.ts';

/**
 * Verifies the signature of a message, which is the only one directly under its root, and returns the message without it. Only this may be
 * used: it holds nothing that the signature does not cover. The bytes that were signed lack the prefixes that only a value uses, such as
 * `xsi:type="xsd:string"`, and a bank may have signed these.
 */
export function signedMessage(text: string, certificates: readonly string[]): string {
  const reason = 'outer_signature';
  const root = rootOf(text, reason);
  const signature = onlyOne(childrenOf(root, namespaces.ds, 'Signature'), reason);
  const { bytes, kept } = firstVerified(text, signature, '', certificates, reason);
  root.removeChild(signature);
  const rest = new XMLSerializer().serializeToString(root);
  if (canonical(rest, kept) !== bytes) throw new Refused(reason);
  return rest;
}

const canonical = (text: string, kept: string[]): string =>
  new ExclusiveCanonicalization().process(rootOf(text, 'outer_signature'), {
    inclusiveNamespacesPrefixList: kept,
  });

/**
 * Verifies the signature of the assertion, and returns the bytes that were signed. `text` is a message that was verified, with no other
 * signature in it.
 */
export function signedAssertion(text: string, id: string, certificates: readonly string[]): string {
  const root = rootOf(text, 'assertion_signature');
  const signature = onlyOne(descendantsOf(root, namespaces.ds, 'Signature'), 'assertion_signature');
  const assertion = onlyOne(descendantsOf(root, namespaces.saml, 'Assertion'), 'assertion_signature');
  if (signature.parentNode !== assertion || assertion.getAttribute('ID') !== id)
    throw new Refused('assertion_signature');
  return firstVerified(text, signature, `#${id}`, certificates, 'assertion_signature').bytes;
}

/** The number of signatures anywhere in a message. */
export const signaturesIn = (text: string): number =>
  descendantsOf(rootOf(text, 'outer_signature'), namespaces.ds, 'Signature').length;

/** The bytes that were signed, and the prefixes that the canonicalisation had to keep. */
type Signed = { bytes: string; kept: string[] };

/** An acquirer that changes its certificate has two for a time. */
function firstVerified(
  text: string,
  signature: Element,
  uri: string,
  certificates: readonly string[],
  reason: Refusal,
): Signed {
  for (const certificate of certificates) {
    const signed = verified(text, signature, uri, certificate);
    if (signed !== undefined) return signed;
  }
  throw new Refused(reason);
}

function verified(text: string, signature: Element, uri: string, publicCert: string): Signed | undefined {
  const check = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
  check.idAttributes = ['ID'];
  allowOnlyOurs(check);
  try {
    check.loadSignature(signature as unknown as Node);
    if (!check.checkSignature(text)) return undefined;
  } catch {
    return undefined;
  }
  const [reference, ...more] = check.getReferences();
  const [bytes, ...others] = check.getSignedReferences();
  const isWhole = more.length === 0 && others.length === 0 && (reference?.uri ?? '') === uri;
  const isEnveloped = reference?.transforms.includes(algorithms.enveloped) === true;
  if (!isWhole || !isEnveloped || bytes === undefined) return undefined;
  return { bytes, kept: [...(reference?.inclusiveNamespacesPrefixList ?? [])] };
}

/** The library knows further algorithms, such as SHA-1, and canonicalisations that keep comments. */
function allowOnlyOurs(check: SignedXml): void {
  const { exclusive, enveloped, sha256, rsaSha256 } = algorithms;
  check.CanonicalizationAlgorithms = only(check.CanonicalizationAlgorithms, [exclusive, enveloped]);
  check.HashAlgorithms = only(check.HashAlgorithms, [sha256]);
  check.SignatureAlgorithms = only(check.SignatureAlgorithms, [rsaSha256]);
}

const only = <Value>(all: Record<string, Value>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));

/** The parser that `xml-crypto` uses too, here without tolerance for faults. */
function rootOf(text: string, reason: Refusal): Element {
  const fail = () => {
    throw new Refused('not_xml');
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  const document = orRefused('not_xml', () =>
    new DOMParser({ errorHandler }).parseFromString(text, 'text/xml'),
  );
  if (document?.documentElement == null) throw new Refused(reason);
  return document.documentElement as unknown as Element;
}

function onlyOne(found: readonly Element[], reason: Refusal): Element {
  const [one, ...more] = found;
  if (one === undefined || more.length > 0) throw new Refused(reason);
  return one;
}

const childrenOf = (element: Element, namespace: string, name: string): Element[] =>
  Array.from(
    { length: element.childNodes.length },
    (_, place) => element.childNodes[place] as Element,
  ).filter((node) => node.nodeType === 1 && node.namespaceURI === namespace && node.localName === name);

function descendantsOf(element: Element, namespace: string, name: string): Element[] {
  const found = element.getElementsByTagNameNS(namespace, name);
  return Array.from({ length: found.length }, (_, place) => found[place] as Element);
}
