import { constants, createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import type { Signature } from '#contract/income/papers.ts';

/** What a CMS message of a signature says. `others` are the further certificates in it. */
export type Opened = {
  digest: Signature['digest'];
  signer: X509Certificate | undefined;
  others: X509Certificate[];
  signedAt: string | null;
};

const nothing: Opened = { digest: 'unknown', signer: undefined, others: [], signedAt: null };

const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const ids = {
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  pss: '1.2.840.113549.1.1.10',
} as const;

/** Kinds of signatures whose value is a CMS message. */
const messageFilters = ['adbe.pkcs7.detached', 'adbe.pkcs7.sha1', 'ETSI.CAdES.detached', 'ETSI.RFC3161'];

/**
 * Compares a message with the bytes that it signs. A message that is made in an unknown way is neither right nor wrong. A value that is
 * no message at all signs nothing.
 */
export function openedMessage(contents: Buffer, covered: Buffer, filter: string): Opened {
  const content = contentIn(contents);
  if (content === undefined)
    return messageFilters.includes(filter) ? { ...nothing, digest: 'broken' } : nothing;
  try {
    const data = AsnConvert.parse(content, SignedData);
    const certificates = (data.certificates ?? []).flatMap(({ certificate }) =>
      certificate === undefined ? [] : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))],
    );
    const [info] = data.signerInfos;
    const signer = info && certificates.find((each) => isOf(each, info));
    if (info === undefined || signer === undefined) return nothing;
    return {
      digest: digestOf(data, info, signer.publicKey, { contents, covered, filter }),
      ...{ signer, others: certificates.filter((each) => each !== signer), signedAt: timeIn(info) },
    };
  } catch {
    return nothing;
  }
}

function contentIn(contents: Buffer): ArrayBuffer | undefined {
  try {
    return AsnConvert.parse(withoutPadding(contents), ContentInfo).content;
  } catch {
    return undefined;
  }
}

/** A writer leaves room for the message and fills the rest with zeros. */
function withoutPadding(contents: Buffer): Buffer {
  const length = contents[1] ?? 0;
  if (length === indefinite) return contents;
  if (length < indefinite) return contents.subarray(0, 2 + length);
  const bytes = length - indefinite;
  return contents.subarray(0, 2 + bytes + contents.readUIntBE(2, bytes));
}

const indefinite = 0x80;

function isOf(certificate: X509Certificate, { sid }: SignerInfo): boolean {
  const serial = sid.issuerAndSerialNumber?.serialNumber;
  if (serial !== undefined)
    return plainSerial(Buffer.from(serial).toString('hex')) === plainSerial(certificate.serialNumber);
  const id = sid.subjectKeyIdentifier;
  return id !== undefined && certificate.raw.includes(bytesOf(id));
}

const plainSerial = (hex: string) => hex.toLowerCase().replace(/^0+/, '');

function digestOf(
  { encapContentInfo }: SignedData,
  info: SignerInfo,
  key: KeyObject,
  { contents, covered, filter }: { contents: Buffer; covered: Buffer; filter: string },
): Signature['digest'] {
  const hash = hashes[info.digestAlgorithm.algorithm];
  if (hash === undefined) return 'unknown';
  const inner = encapContentInfo.eContent?.single;
  const content = inner === undefined ? undefined : bytesOf(inner);
  if (content !== undefined && !isAbout(content, covered, filter)) return 'broken';
  const signed = content ?? covered;
  if (info.signedAttrs === undefined) return isSigned(signed, hash, info, key) ? 'holds' : 'broken';
  const stated = attributeOf(info, ids.messageDigest);
  const attributes = attributesOf(info, contents);
  if (stated === undefined || attributes === undefined) return 'unknown';
  if (!createHash(hash).update(signed).digest().equals(stated.subarray(2))) return 'broken';
  return isSigned(attributes, hash, info, key) ? 'holds' : 'broken';
}

const setTag = 0x31;

/**
 * The bytes that are signed: the attributes as a set. They stand in the message with another tag. If it has them in another form than
 * they are written here, nothing can be said.
 */
function attributesOf({ signedAttrs = [] }: SignerInfo, message: Buffer): Buffer | undefined {
  const content = Buffer.concat(signedAttrs.map((each) => Buffer.from(AsnConvert.serialize(each))));
  return message.includes(content) ? Buffer.concat([headOf(setTag, content.length), content]) : undefined;
}

/** A tag and a length, which takes one byte up to 127, and more with their number before. */
function headOf(tag: number, length: number): Buffer {
  if (length < indefinite) return Buffer.from([tag, length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, indefinite + bytes.length]), bytes]);
}

/** A message that has a content of its own must name the digest of what the file has. That of a timestamp can use another hash. */
function isAbout(content: Buffer, covered: Buffer, filter: string): boolean {
  const wanted = filter === 'adbe.pkcs7.sha1' ? ['sha1'] : ['sha256', 'sha384', 'sha512'];
  return wanted.some((hash) => content.includes(createHash(hash).update(covered).digest()));
}

function isSigned(message: Buffer, hash: string, info: SignerInfo, key: KeyObject): boolean {
  const isPss = info.signatureAlgorithm.algorithm === ids.pss || key.asymmetricKeyType === 'rsa-pss';
  const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
  const isRsa = key.asymmetricKeyType?.startsWith('rsa') === true;
  const isPlain = key.asymmetricKeyType?.startsWith('ed') === true;
  return verify(isPlain ? null : hash, message, isRsa ? { key, padding } : key, bytesOf(info.signature));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);

function attributeOf({ signedAttrs }: SignerInfo, id: string): Buffer | undefined {
  const value = signedAttrs?.find(({ attrType }) => attrType === id)?.attrValues[0];
  return value === undefined ? undefined : Buffer.from(value);
}

/** A time of certificates has two digits for the year until 2049, and four after that. */
function timeIn(info: SignerInfo): string | null {
  const value = attributeOf(info, ids.signingTime);
  const text = value?.subarray(2).toString('latin1') ?? '';
  const full = text.length === shortTime ? `${Number(text.slice(0, 2)) < 50 ? 20 : 19}${text}` : text;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  if (year === undefined) return null;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

const shortTime = 13;
