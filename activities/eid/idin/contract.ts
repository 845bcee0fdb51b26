import { createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { loopbackHosts } from '#contract/limits.ts';
import { jsonOf } from '#platform/json.ts';

/** An acquirer is reached by https alone. The simulator on this machine needs no certificate. */
const address = z.string().max(512).refine(isReachable, 'must be an https address, or http on loopback');

function isReachable(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, hostname, username, password } = new URL(given);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname));
}

const certificate = z
  .string()
  .max(20_000)
  .refine(isRsaCertificate, 'must be a PEM certificate with RSA of 2048 bits or more');

function isRsaCertificate(pem: string): boolean {
  const read = certificateOf(pem);
  return (
    (read?.publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 &&
    read?.publicKey.asymmetricKeyType === 'rsa'
  );
}

/** Undefined if it is no certificate. */
export function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** What an organisation agreed with its acquirer, and the keys for it. The private key is a secret. */
export const IdinContract = z
  .strictObject({
    merchantId: z.string().regex(/^\d{10}$/, 'must be 10 digits'),
    subId: z.number().int().min(0).max(999_999).default(0),
    /** The legal id of the organisation, for which the bank makes its statements: as the acquirer writes it, spaces included. */
    legalId: z.string().regex(/^(?! )[ -~]{1,40}(?<! )$/, 'must be 1 to 40 characters of ASCII'),
    directoryUrl: address,
    transactionUrl: address,
    statusUrl: address,
    /** Ours: signs the requests, and the bank encrypts the attributes for it. */
    certificate,
    privateKey: z.string().max(20_000),
    /** The acquirer's. Two while it changes them. */
    acquirerCertificates: z.array(certificate).min(1).max(4),
  })
  .refine(keyFits, { path: ['privateKey'], message: 'must be the unencrypted PEM key of certificate' })
  .refine(isOneSide, {
    path: ['statusUrl'],
    message: 'must be on loopback like the other addresses, or not',
  });
export type IdinContract = z.infer<typeof IdinContract>;

function keyFits({ certificate: pem, privateKey }: { certificate: string; privateKey: string }): boolean {
  try {
    return certificateOf(pem)?.checkPrivateKey(createPrivateKey(privateKey)) ?? false;
  } catch {
    return false;
  }
}

type Addresses = Record<'directoryUrl' | 'transactionUrl' | 'statusUrl', string>;

const areOnLoopback = ({ directoryUrl, transactionUrl, statusUrl }: Addresses): boolean[] =>
  [directoryUrl, transactionUrl, statusUrl].map((url) => loopbackHosts.includes(new URL(url).hostname));

/** A simulator that answers for one address alone would pass as a bank. */
function isOneSide(addresses: Addresses): boolean {
  const [first, ...rest] = areOnLoopback(addresses);
  return rest.every((each) => each === first);
}

/** True if the other side is the simulator, which only loopback can be. */
export const isSimulated = (contract: Addresses): boolean => areOnLoopback(contract).includes(true);

/** Reads a contract. Otherwise the paths and the rules that were broken, and no value, since a value could be the private key. */
export function readContract(text: string): { contract: IdinContract } | { faults: string[] } {
  const parsed = IdinContract.safeParse(jsonOf(text));
  if (parsed.success) return { contract: parsed.data };
  const faults = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
  );
  return { faults };
}

/** When our certificate is over. The bank encrypts nothing for it from then on. */
export const certificateEnd = ({ certificate: pem }: Pick<IdinContract, 'certificate'>): Date =>
  new Date(certificateOf(pem)?.validTo ?? 0);

/** The name by which iDIN calls a certificate: its SHA-1 thumbprint, 40 hexadecimal digits. */
export const thumbprintOf = (pem: string): string =>
  new X509Certificate(pem).fingerprint.replaceAll(':', '').toUpperCase();
