import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomeConfig } from '#platform/config/config.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates (DER) by which signatures on documents are trusted. Throws a StartFault if the file cannot be read or has none. */
export function readAnchors({ certificatesFile }: IncomeConfig): Uint8Array[] {
  if (certificatesFile === undefined) return [];
  try {
    const anchors = readFileSync(certificatesFile, 'utf8').match(certificate) ?? [];
    if (anchors.length > 0) return anchors.map((pem) => new X509Certificate(pem).raw);
  } catch {
    // The fault below says it, without the text of the file.
  }
  throw new StartFault(
    'INCOME_TRUSTED_CERTIFICATES must be a file with certificates in PEM that this user can read.',
    exitCodes.config,
  );
}
