import type { X509Certificate } from 'node:crypto';
import { paperLimits, type Signature } from '#contract/income/papers.ts';
import { chainOf } from './certificates.ts';
import { type Opened, openedMessage } from './cms.ts';
import { pdfTime } from './making.ts';
import type { Pdfium } from './pdfium.ts';
import { structureOf } from './structure.ts';
import { TooComplex } from './too-complex.ts';

type Field = { range: number[]; contents: Buffer; filter: string; time: string | null };

export function signaturesOf(
  pdfium: Pdfium,
  document: number,
  bytes: Buffer,
  anchors: readonly X509Certificate[],
): Signature[] {
  const count = pdfium.call('FPDF_GetSignatureCount', document);
  if (count > paperLimits.signaturesMax) throw new TooComplex();
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    signatureOf(fieldOf(pdfium, pdfium.call('FPDF_GetSignatureObject', document, index)), bytes, anchors),
  );
}

const rangeNumbers = 4;
const ascii = (bytes: Buffer) => bytes.toString('latin1').replace(/\0[\s\S]*$/, '');

function fieldOf(pdfium: Pdfium, signature: number): Field {
  const count = pdfium.call('FPDFSignatureObj_GetByteRange', signature, 0, 0);
  const at = pdfium.put(Buffer.alloc(rangeNumbers * 4));
  if (count === rangeNumbers) pdfium.call('FPDFSignatureObj_GetByteRange', signature, at, count);
  const numbers = pdfium.bytesAt(at, rangeNumbers * 4);
  return {
    range: Array.from({ length: rangeNumbers }, (_, index) => numbers.readInt32LE(index * 4)),
    contents: pdfium.bytes('FPDFSignatureObj_GetContents', signature),
    filter: ascii(pdfium.bytes('FPDFSignatureObj_GetSubFilter', signature)),
    time: pdfTime(ascii(pdfium.bytes('FPDFSignatureObj_GetTime', signature))),
  };
}

function signatureOf(field: Field, bytes: Buffer, anchors: readonly X509Certificate[]): Signature {
  const [, first = 0, second = 0, rest = 0] = field.range;
  const end = Math.max(0, Math.min(second + rest, bytes.length));
  const made: Omit<Signature, 'digest'> = {
    kind: field.filter === 'ETSI.RFC3161' ? 'timestamp' : 'signature',
    ...{ chain: anchors.length === 0 ? 'no_anchors' : 'untrusted', signer: null, signedAt: field.time },
    ...{ end, added: addedIn(bytes.subarray(end)) },
  };
  if (!leavesOutItself(field, bytes)) return { ...made, digest: 'broken' };
  const covered = Buffer.concat([bytes.subarray(0, first), bytes.subarray(second, end)]);
  const opened = openedMessage(field.contents, covered, field.filter);
  return { ...made, digest: opened.digest, ...signedBy(opened, field.time, anchors) };
}

/** Certificates and lists that a program adds so that a signature can be verified later. The history says if they came with a change. */
const validationData = /\/DSS\s*(?:<<|\d+ \d+ R)/;

function addedIn(rest: Buffer): Signature['added'] {
  if (rest.toString('latin1').trim() === '') return 'nothing';
  return validationData.test(structureOf(rest).text) ? 'validation_data' : 'other';
}

/** A signature covers all up to its end but its own value. Otherwise something else could be put in the gap. */
function leavesOutItself({ range: [from, first = 0, second = 0, rest = 0] }: Field, bytes: Buffer): boolean {
  if (from !== 0 || first <= 0 || second <= first || rest < 0 || second + rest > bytes.length) return false;
  return /^<[0-9A-Fa-f\s]*>$/.test(bytes.subarray(first, second).toString('latin1'));
}

function signedBy(
  { signer, others, signedAt }: Opened,
  time: string | null,
  anchors: readonly X509Certificate[],
): Pick<Signature, 'chain' | 'signer' | 'signedAt'> {
  const at = signedAt ?? time;
  return {
    chain: chainOf(signer, { others, anchors, at: at === null ? null : new Date(at) }),
    signer:
      signer === undefined ? null : (/(?:^|\n)CN=([^\n]*)/.exec(signer.subject)?.[1] ?? '').slice(0, nameMax),
    signedAt: at,
  };
}

const nameMax = 200;
