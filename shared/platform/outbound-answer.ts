import { limits } from '#contract/limits.ts';
import { NoAnswer } from './no-answer.ts';

/** The largest head of an answer: its status line and its headers. */
const headBytesMax = 16 * 1024;

/** The most that is read of a body. Chunks take more bytes than their content. */
const bodyBytesMax = 2 * limits.responseExcerptBytesMax;

/** A receiver that names the time after which it closes an idle connection may do so this much earlier. */
const earlyMs = 1_000;

/** How a body ends: after a number of bytes, after its last chunk, or with the connection. */
type Framing = number | 'chunked' | 'closed';

type Head = {
  status: number;
  retryAfterMs: number | null;
  framing: Framing;
  /** How long the connection may be idle after the answer. 0: it must not be used again. */
  keptMs: number;
};

/** `isOver`: nothing more of it is read. `isClean`: it ended where it said, so the next answer begins there. */
type Body = { excerpt: Buffer; isOver: boolean; isClean: boolean };

/**
 * Reads the answer of a receiver from the bytes of a connection. The status alone decides on success (decision 28). So it is read
 * from an answer that is malformed elsewhere too, for example with two lengths: the receiver has stored the event and says so. After
 * such an answer the connection must end, since nobody knows where the next answer would begin.
 */
export class AnswerReader {
  #bytes: Buffer = Buffer.alloc(0);
  /** Undefined until the status and all headers are in. */
  head: Head | undefined;

  /** Throws `NoAnswer` if the bytes are no answer of HTTP/1. */
  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.head === undefined) {
      const begin = this.#bytes.findIndex((byte) => byte !== 10 && byte !== 13);
      if (begin === -1) return;
      // Line ends before an answer are read over.
      this.#bytes = this.#bytes.subarray(begin);
      const found = headIn(this.#bytes);
      if (found === undefined) return;
      this.#bytes = this.#bytes.subarray(found.end);
      // An interim answer, such as 100 or 103, says nothing about the event. A receiver may send it unasked (RFC 9110, 15.2).
      if (found.status >= 200) this.head = found;
    }
  }

  get body(): Body {
    const { excerpt, isOver, isClean } = bodyIn(this.#bytes, this.head?.framing ?? 'closed');
    return {
      excerpt: excerpt.subarray(0, limits.responseExcerptBytesMax),
      isOver:
        isOver || excerpt.length >= limits.responseExcerptBytesMax || this.#bytes.length >= bodyBytesMax,
      isClean,
    };
  }
}

/** The beginning of every answer, as far as it has arrived. */
const protocol = 'HTTP/1.';
const statusLine = /^HTTP\/1\.([01]) +([1-9]\d\d)(?: |$)/;

function headIn(bytes: Buffer): (Head & { end: number }) | undefined {
  const end = endOfHead(bytes);
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.min(end, headBytesMax)).split(/\r?\n/);
  const begins = protocol.startsWith(first.slice(0, protocol.length));
  const [, minor, status] = statusLine.exec(first) ?? [];
  // A first line without its end may still become a status line.
  if (status === undefined ? !begins || lines.length > 0 : status === '101')
    throw new NoAnswer('malformed_answer');
  if (end > headBytesMax && bytes.length > headBytesMax) throw new NoAnswer('malformed_answer');
  if (end === Number.POSITIVE_INFINITY) return undefined;
  const headers = headersIn(lines);
  const { framing, isSure } = framingOf(Number(status), headers);
  return {
    ...{ status: Number(status), framing, end },
    retryAfterMs: retryAfterMs(headers('retry-after')),
    keptMs: isSure && minor === '1' ? keptMs(headers) : 0,
  };
}

/** The place after the empty line, or infinity if it has not arrived. A bare line feed ends a line too (RFC 9112, 2.2). */
const endOfHead = (bytes: Buffer): number =>
  Math.min(
    ...['\n\r\n', '\n\n'].map((ending) => {
      const at = bytes.indexOf(ending);
      return at === -1 ? Number.POSITIVE_INFINITY : at + ending.length;
    }),
  );

type Headers = (name: string) => string[];

/** Gives all values of a header. A line that is no header is read over. */
function headersIn(lines: readonly string[]): Headers {
  const pairs = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return (wanted) => pairs.filter(([name]) => name === wanted).map(([, value]) => value);
}

/** `isSure` is false if two parts of the answer contradict each other, or if only the end of the connection ends the body. */
function framingOf(status: number, headers: Headers): { framing: Framing; isSure: boolean } {
  const codings = headers('transfer-encoding').map((coding) => coding.toLowerCase());
  const lengths = headers('content-length');
  if (status === 204 || status === 304)
    return { framing: 0, isSure: codings.length === 0 && lengths.every((length) => length === '0') };
  if (codings.length > 0) {
    const isChunked = codings.join() === 'chunked';
    return { framing: isChunked ? 'chunked' : 'closed', isSure: isChunked && lengths.length === 0 };
  }
  const valid = lengths.filter((length) => /^\d{1,15}$/.test(length)).map(Number);
  if (valid.length === 0) return { framing: 'closed', isSure: false };
  // Of several lengths the shortest is awaited: the attempt must not wait for bytes that may never come.
  return { framing: Math.min(...valid), isSure: lengths.length === 1 };
}

function keptMs(headers: Headers): number {
  const tokens = headers('connection').flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((token) => token.trim()),
  );
  if (tokens.includes('close')) return 0;
  const [, seconds] = /\btimeout=(\d{1,6})\b/i.exec(headers('keep-alive').join()) ?? [];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(Number(seconds) * 1_000 - earlyMs, 0);
}

function bodyIn(bytes: Buffer, framing: Framing): Body {
  if (framing === 'chunked') return unchunked(bytes);
  if (framing === 'closed') return { excerpt: bytes, isOver: false, isClean: false };
  return {
    excerpt: bytes.subarray(0, framing),
    isOver: bytes.length >= framing,
    isClean: bytes.length === framing,
  };
}

const chunkLine = /^([\da-f]{1,8})[ \t]*(?:;.*)?\r$/i;
const lineEnd = '\r\n';

/** Returns the content of the chunks that have arrived. What is no chunk ends the body. */
function unchunked(bytes: Buffer): Body {
  const pieces: Buffer[] = [];
  const until = (isOver: boolean, end?: number): Body => ({
    excerpt: Buffer.concat(pieces),
    isOver,
    isClean: end === bytes.length,
  });
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\n', at);
    if (end === -1) return until(false);
    const [, digits] = chunkLine.exec(bytes.toString('latin1', at, end)) ?? [];
    if (digits === undefined) return until(true);
    const size = Number.parseInt(digits, 16);
    if (size === 0) {
      const trailers = endOfTrailers(bytes, end + 1);
      return until(trailers !== undefined, trailers);
    }
    pieces.push(bytes.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + lineEnd.length;
    if (at > bytes.length) return until(false);
    if (bytes.toString('latin1', at - lineEnd.length, at) !== lineEnd) return until(true);
  }
}

function endOfTrailers(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const end = bytes.indexOf(lineEnd, at);
    if (end === -1) return undefined;
    if (end === at) return end + lineEnd.length;
    at = end + lineEnd.length;
  }
}

/**
 * Converts the header Retry-After to milliseconds from now (RFC 9110, 10.2.3). The header is a number of seconds or an HTTP date.
 * For any other value, and for several values, returns null.
 */
export function retryAfterMs(values: readonly string[], now = Date.now()): number | null {
  const [value, ...others] = new Set(values.map((each) => each.trim()));
  if (value === undefined || others.length > 0) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = /GMT$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(date - now, 0);
}
