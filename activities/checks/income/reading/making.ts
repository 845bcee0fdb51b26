import type { ReadablePaper } from '#contract/income/papers.ts';
import type { Pdfium } from './pdfium.ts';

/** What the file says about how it was made: in its information, and in its XMP packet if it has one that is not packed. */
export function makingOf(pdfium: Pdfium, document: number, bytes: Buffer): ReadablePaper['made'] {
  const said = (key: string) => pdfium.text('FPDF_GetMetaText', document, pdfium.key(key)).slice(0, textMax);
  const xmp = packetOf(bytes);
  return {
    producer: said('Producer'),
    creator: said('Creator'),
    createdAt: pdfTime(said('CreationDate')),
    modifiedAt: pdfTime(said('ModDate')),
    xmpCreatedAt: isoTime(valueIn(xmp, inPacket.created)),
    xmpModifiedAt: isoTime(valueIn(xmp, inPacket.modified)),
    xmpProducer: valueIn(xmp, inPacket.producer)?.slice(0, textMax) ?? null,
  };
}

const textMax = 500;
const packetMax = 100_000;

/** The last packet is that of the last revision. */
function packetOf(bytes: Buffer): string {
  const start = bytes.lastIndexOf('<x:xmpmeta');
  if (start < 0) return '';
  const end = bytes.indexOf('</x:xmpmeta>', start);
  return bytes.subarray(start, Math.min(end < 0 ? bytes.length : end, start + packetMax)).toString('utf8');
}

/** A value is an element or an attribute. */
const inPacket = {
  created: /<xmp:CreateDate>([^<]{1,500})<|\bxmp:CreateDate\s?=\s?["']([^"']{1,500})["']/,
  modified: /<xmp:ModifyDate>([^<]{1,500})<|\bxmp:ModifyDate\s?=\s?["']([^"']{1,500})["']/,
  producer: /<pdf:Producer>([^<]{1,500})<|\bpdf:Producer\s?=\s?["']([^"']{1,500})["']/,
};

const valueIn = (xmp: string, pattern: RegExp): string | undefined =>
  pattern
    .exec(xmp)
    ?.slice(1)
    .find((value) => value !== undefined);

/** A time such as `D:20261104093000+01'00'`. Parts may be missing at the end. */
export function pdfTime(text: string): string | null {
  const parts = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?/.exec(
    text.trim(),
  );
  if (parts === null) return null;
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', sign, h, m] =
    parts;
  const zone = sign === undefined ? 'Z' : `${sign}${h}:${m ?? '00'}`;
  return isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

function isoTime(text: string | undefined): string | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
