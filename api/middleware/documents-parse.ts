import { paperLimits } from '#contract/income/papers.ts';
import { limits } from '#contract/limits.ts';
import { sha256Hex } from '#platform/crypto/crypto.ts';

/** A text of at least this size is cut out of a body before the rest is parsed. */
const longBytesMin = 16 * 1024;
/** More long texts than documents may be there are cut out, so that the answer can say that there are too many documents. */
const longMax = 2 * paperLimits.papersMax;
/** What may be left of a body: everything else, and documents that are shorter than a long text. */
const restBytesMax = limits.bodySizeBytesMax + paperLimits.papersMax * longBytesMin;

const [quote, backslash] = [0x22, 0x5c];

/**
 * Cuts the long texts out of JSON, and leaves `mark` and their number in their place. So JSON that is large in any other way never reaches the
 * parser, which could take all memory for it. Undefined if too much is left.
 */
export function cutOut(body: Buffer, mark: string): { rest: Buffer; long: Buffer[] } | undefined {
  const pieces: Buffer[] = [];
  const long: Buffer[] = [];
  let [from, size] = [0, 0];
  const keep = (piece: Buffer): void => {
    pieces.push(piece);
    size += piece.length;
  };
  for (let at = body.indexOf(quote); at !== -1; ) {
    const end = endOfText(body, at + 1);
    if (end === -1) break;
    if (end - at > longBytesMin) {
      keep(body.subarray(from, at));
      keep(Buffer.from(`"${mark}${long.length}"`));
      long.push(body.subarray(at + 1, end));
      from = end + 1;
    }
    if (size + end - from > restBytesMax || long.length > longMax) return undefined;
    at = body.indexOf(quote, end + 1);
  }
  keep(body.subarray(from));
  return size > restBytesMax ? undefined : { rest: Buffer.concat(pieces), long };
}

/** The place of the quote that ends a text. -1 if none does. */
function endOfText(body: Buffer, from: number): number {
  for (let end = body.indexOf(quote, from); end !== -1; end = body.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (end - 1 - escapes >= from && body[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** A document as bytes. `sha256` is in hex. */
export type Content = { bytes: Uint8Array<ArrayBuffer>; sha256: string };

/** Decodes a text of JSON, without its quotes. Undefined if it is no base64. Some writers put a backslash before each slash. */
export function contentOf(text: Buffer): Content | undefined {
  const written = text.toString('latin1');
  const base64 = text.includes(backslash) ? unescaped(written) : written;
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  if (bytes.length === 0 || Buffer.from(bytes.buffer).toString('base64') !== base64) return undefined;
  return { bytes, sha256: sha256Hex(bytes) };
}

function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`);
  } catch {
    return '';
  }
}
