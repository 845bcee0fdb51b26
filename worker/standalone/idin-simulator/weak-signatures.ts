import { SignedXml } from 'xml-crypto';
import { algorithms } from '#activities/eid/idin/names.ts';
import type { SigningKey } from '#activities/eid/idin/sign.ts';

export type SignatureAlgorithms = { signature: string; digest: string; canonicalisation: string };

const ours: SignatureAlgorithms = {
  signature: algorithms.rsaSha256,
  digest: algorithms.sha256,
  canonicalisation: algorithms.exclusive,
};

const ds = 'http://www.w3.org/2000/09/xmldsig#';
const hmacSha1 = `${ds}hmac-sha1`;

/** Algorithms that the library of the reader knows, and that the reader must not accept. */
export const weak = {
  rsaSha1: { signature: `${ds}rsa-sha1` },
  sha1Digest: { digest: `${ds}sha1` },
  inclusive: { canonicalisation: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' },
  withComments: { canonicalisation: `${algorithms.exclusive}WithComments` },
  hmac: { signature: hmacSha1 },
} as const satisfies Record<string, Partial<SignatureAlgorithms>>;

type Place = { reference: string; location: { reference: string; action: 'append' | 'after' } };
const wholeMessage: Place = { reference: '/*', location: { reference: '/*', action: 'append' } };

/**
 * Signs as a party with other algorithms. An HMAC takes the certificate as its key, which everybody knows: a reader that hands its
 * certificate to whatever the signature asks for accepts it.
 */
export function weaklySigned(
  xml: string,
  { privateKey, certificate, keyInfo }: SigningKey & { certificate: string },
  changed: Partial<SignatureAlgorithms>,
  place = wholeMessage,
): string {
  const { signature, digest, canonicalisation } = { ...ours, ...changed };
  const isHmac = signature === hmacSha1;
  const signing = new SignedXml({
    privateKey: isHmac ? certificate : privateKey,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: canonicalisation as typeof algorithms.exclusive,
  });
  if (isHmac) signing.enableHMAC();
  signing.getKeyInfoContent = () => keyInfo;
  signing.addReference({
    ...{ xpath: place.reference, digestAlgorithm: digest },
    transforms: [algorithms.enveloped, canonicalisation],
    ...(place.reference === '/*' && { uri: '', isEmptyUri: true }),
  });
  signing.computeSignature(xml, { location: place.location });
  return signing.getSignedXml();
}
