import { checkPrimeSync, createHash, createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { bytesOf } from '#test/support/seed.ts';
import { additionTo, PdfFile, withEntry } from './pdf-file.ts';
import { pdfDate, pdfText } from './write.ts';

/** DER: a tag, a length, a content. */
function der(tag: number, ...contents: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(contents.map((each) => Buffer.from(each)));
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const set = (...contents: Buffer[]) => der(0x31, ...contents);
const octets = (content: Buffer) => der(0x04, content);
const utf8 = (text: string) => der(0x0c, Buffer.from(text));
const nothing = der(0x05);

function whole(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return der(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = rest.flatMap((number) => {
    const digits = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, [first * 40 + second, ...bytes]);
}

const utcTime = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const ids = {
  rsa: '1.2.840.113549.1.1.1',
  rsaSha256: '1.2.840.113549.1.1.11',
  sha256: '2.16.840.1.101.3.4.2.1',
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  ...{ commonName: '2.5.4.3', organisation: '2.5.4.10', country: '2.5.4.6' },
  ...{ basicConstraints: '2.5.29.19', keyUsage: '2.5.29.15' },
};

function primeFrom(name: string): bigint {
  const bytes = bytesOf(name, 128);
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  bytes[127] = (bytes[127] ?? 0) | 1;
  let candidate = BigInt(`0x${bytes.toString('hex')}`);
  while (candidate % 65_537n === 1n || !checkPrimeSync(candidate)) candidate += 2n;
  return candidate;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a % b, y, x - quotient * y];
  }
  return x < 0n ? x + modulus : x;
}

const base64url = (value: bigint) => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex').toString('base64url');
};

/** A certificate with its key. Both follow from the seed and the name: no key is kept anywhere. */
export type Identity = {
  name: string;
  key: KeyObject;
  certificate: Buffer;
  subject: Buffer;
  serial: bigint;
  chain: Buffer[];
};

/** A throw-away RSA key that follows from the seed. */
function keyFrom(name: string): { key: KeyObject; modulus: bigint } {
  const [p, q] = [primeFrom(`${name} p`), primeFrom(`${name} q`)];
  const [modulus, e] = [p * q, 65_537n];
  const d = inverse(e, (p - 1n) * (q - 1n));
  const parts = { n: modulus, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, base64url(value)]));
  return { key: createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' }), modulus };
}

const nameOf = (common: string, organisation: string) =>
  sequence(
    set(sequence(identifier(ids.country), der(0x13, Buffer.from('NL')))),
    set(sequence(identifier(ids.organisation), utf8(organisation))),
    set(sequence(identifier(ids.commonName), utf8(common))),
  );

const algorithm = (id: string) => sequence(identifier(id), nothing);
const signatureOf = (key: KeyObject, content: Buffer) => createSign('sha256').update(content).sign(key);

/** Makes a root if there is no issuer, and else a certificate of this issuer. */
function identity(name: string, organisation: string, issuer?: Identity): Identity {
  const { key, modulus } = keyFrom(`income signer ${name}`);
  const subject = nameOf(name, organisation);
  const serial = BigInt(`0x70${createHash('sha256').update(name).digest('hex').slice(0, 14)}`);
  const publicKey = sequence(algorithm(ids.rsa), der(0x03, [0], sequence(whole(modulus), whole(65_537n))));
  const isRoot = issuer === undefined;
  const yes = der(0x01, [0xff]);
  const extensions = sequence(
    sequence(identifier(ids.basicConstraints), yes, octets(isRoot ? sequence(yes) : sequence())),
    sequence(identifier(ids.keyUsage), yes, octets(der(0x03, isRoot ? [1, 0x06] : [6, 0xc0]))),
  );
  const body = sequence(
    der(0xa0, whole(2n)),
    whole(serial),
    algorithm(ids.rsaSha256),
    issuer?.subject ?? subject,
    sequence(utcTime(new Date('2023-01-01T00:00:00Z')), utcTime(new Date('2033-01-01T00:00:00Z'))),
    subject,
    publicKey,
    der(0xa3, extensions),
  );
  const signature = signatureOf(issuer?.key ?? key, body);
  const certificate = sequence(body, algorithm(ids.rsaSha256), der(0x03, [0], signature));
  return { name, key, certificate, subject, serial, chain: [certificate, ...(issuer?.chain ?? [])] };
}

const once = <T>(make: () => T) => {
  let made: T | undefined;
  return (): T => {
    made ??= make();
    return made;
  };
};

/** The authority that the tests trust, and somebody whom it certified. */
export const trustedRoot = once(() => identity('Fictieve Wortel CA G1', 'Stichting Verzonnen Vertrouwen'));
export const trustedSigner = once(() =>
  identity('Fictief Uitvoeringsinstituut zegel', 'Fictief Uitvoeringsinstituut', trustedRoot()),
);
/** An authority that nobody trusts, with the same names as the other. */
const foreignRoot = once(() => identity('Fictieve Wortel CA G2', 'Stichting Verzonnen Vertrouwen'));
export const foreignSigner = once(() =>
  identity('Fictief Uitvoeringsinstituut zegel 2', 'Fictief Uitvoeringsinstituut', foreignRoot()),
);
export const selfSigner = once(() => identity('Zelf Ondertekend', 'Niemand'));

function cmsOf(signer: Identity, content: Buffer, at: Date, cades: boolean): Buffer {
  const digest = createHash('sha256').update(content).digest();
  const attribute = (id: string, value: Buffer) => sequence(identifier(id), set(value));
  const attributes = [
    attribute(ids.contentType, identifier(ids.data)),
    attribute(ids.messageDigest, octets(digest)),
    cades
      ? attribute(
          ids.signingCertificate,
          sequence(sequence(sequence(octets(createHash('sha256').update(signer.certificate).digest())))),
        )
      : attribute(ids.signingTime, utcTime(at)),
  ].sort(Buffer.compare);
  const issuer = signer.chain[1] === undefined ? signer.subject : issuerIn(signer);
  const info = sequence(
    whole(1n),
    sequence(issuer, whole(signer.serial)),
    algorithm(ids.sha256),
    der(0xa0, ...attributes),
    algorithm(ids.rsa),
    octets(signatureOf(signer.key, set(...attributes))),
  );
  const signed = sequence(
    whole(1n),
    set(algorithm(ids.sha256)),
    sequence(identifier(ids.data)),
    der(0xa0, ...signer.chain),
    set(info),
  );
  return sequence(identifier(ids.signedData), der(0xa0, signed));
}

const issuerIn = (signer: Identity): Buffer =>
  signer.chain[1]?.equals(foreignRoot().certificate) ? foreignRoot().subject : trustedRoot().subject;

const room = 8_192;

export type Signing = {
  signer: Identity;
  at: Date;
  cades?: boolean;
  /** What a later change may do, as DocMDP says: 1 nothing, 2 filling in forms. */
  permission?: 1 | 2;
};

/** Signs a file as a revision that leaves the drawing of the page alone. */
export function signed(bytes: Buffer, { signer, at, cades = false, permission }: Signing): Buffer {
  const file = new PdfFile(bytes);
  const dictionary = [
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${cades ? 'ETSI.CAdES.detached' : 'adbe.pkcs7.detached'}`,
    '/ByteRange [0 0000000000 0000000000 0000000000]',
    `/Contents <${'0'.repeat(room * 2)}>`,
    `/M ${pdfDate(at)} /Name ${pdfText(signer.name)} /Reason (Echtheid)`,
    permission === undefined
      ? ''
      : `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P ${permission} /V /1.2 >> >>]`,
    '>>',
  ].join(' ');
  const signatureAt = file.size + 1;
  const page = file.pages[0] ?? 0;
  const field = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Handtekening ${file.size}) /F 132 /Rect [0 0 0 0] /P ${page} 0 R /V ${signatureAt} 0 R >>`;
  const changes = additionTo(file, 0, { annotations: [field] });
  changes.set(signatureAt, Buffer.from(dictionary));
  const root = file.reference('Root');
  const before = /\/Fields \[([^\]]*)\]/.exec(file.text(root))?.[1] ?? '';
  const form = `<< /Fields [${before} ${file.size} 0 R] /SigFlags 3 >>`;
  let catalogue = withEntry(file.text(root), 'AcroForm', form);
  if (permission !== undefined) catalogue = withEntry(catalogue, 'Perms', `<< /DocMDP ${signatureAt} 0 R >>`);
  changes.set(root, Buffer.from(catalogue, 'latin1'));
  const whole = file.appended(changes);
  const begin = whole.lastIndexOf('/Contents <0000') + '/Contents '.length;
  const end = begin + room * 2 + 2;
  const pad = (value: number) => String(value).padStart(10, '0');
  whole.write(
    `/ByteRange [0 ${pad(begin)} ${pad(end)} ${pad(whole.length - end)}]`,
    whole.lastIndexOf('/ByteRange [0 0000000000'),
  );
  const cms = cmsOf(signer, Buffer.concat([whole.subarray(0, begin), whole.subarray(end)]), at, cades);
  whole.write(cms.toString('hex'), begin + 1);
  return whole;
}
