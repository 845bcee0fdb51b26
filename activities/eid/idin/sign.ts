import { SignedXml } from 'xml-crypto';
import { algorithms, namespaces } from './names.ts';

export type SigningKey = { privateKey: string; keyInfo: string };

/** Where the signature goes, and what it signs. */
type Place = {
  reference: string;
  location: { reference: string; action: 'append' | 'after' };
  prefix?: string;
};

const wholeMessage: Place = { reference: '/*', location: { reference: '/*', action: 'append' } };

/** Signs a message: enveloped, exclusive canonicalisation, RSA with SHA-256. By default the whole message, at its end. */
export function signed(
  xml: string,
  { privateKey, keyInfo }: SigningKey,
  place: Place = wholeMessage,
): string {
  const signature = new SignedXml({
    privateKey,
    signatureAlgorithm: algorithms.rsaSha256,
    canonicalizationAlgorithm: algorithms.exclusive,
    getKeyInfoContent: () => keyInfo,
  });
  signature.addReference({
    xpath: place.reference,
    transforms: [algorithms.enveloped, algorithms.exclusive],
    digestAlgorithm: algorithms.sha256,
    ...(place.reference === '/*' ? { uri: '', isEmptyUri: true } : {}),
  });
  signature.computeSignature(xml, {
    location: place.location,
    ...(place.prefix === undefined ? {} : { prefix: place.prefix }),
  });
  return signature.getSignedXml();
}

/** The key as iDIN names it. `prefix` is that of the signature. */
export const keyName = (thumbprint: string, prefix = ''): string => {
  const tag = prefix === '' ? 'KeyName' : `${prefix}:KeyName`;
  return `<${tag}>${thumbprint}</${tag}>`;
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text as XML has it. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

export const declarationsOf = (names: readonly (keyof typeof namespaces)[]): string =>
  names.map((name) => ` xmlns:${name}="${namespaces[name]}"`).join('');
