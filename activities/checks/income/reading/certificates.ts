import type { X509Certificate } from 'node:crypto';
import type { Signature } from '#contract/income/papers.ts';

const depthMax = 8;

type Known = { others: readonly X509Certificate[]; anchors: readonly X509Certificate[]; at: Date | null };

/** Whether a certificate leads to an anchor, each certificate on the way valid when it was used. Nothing is asked of a network. */
export function chainOf(signer: X509Certificate | undefined, known: Known): Signature['chain'] {
  if (known.anchors.length === 0) return 'no_anchors';
  return signer !== undefined && leads(signer, known, 0) ? 'trusted' : 'untrusted';
}

function leads(certificate: X509Certificate, known: Known, depth: number): boolean {
  if (known.at !== null && !isValidAt(certificate, known.at)) return false;
  if (known.anchors.some(({ fingerprint256 }) => fingerprint256 === certificate.fingerprint256)) return true;
  if (depth === depthMax) return false;
  return [...known.anchors, ...known.others].some(
    (issuer) =>
      issuer.ca &&
      issuer.fingerprint256 !== certificate.fingerprint256 &&
      certificate.checkIssued(issuer) &&
      certificate.verify(issuer.publicKey) &&
      leads(issuer, known, depth + 1),
  );
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, at: Date) =>
  Date.parse(validFrom) <= at.getTime() && at.getTime() <= Date.parse(validTo);
