import { BodyReader, type Framing, isSoundField } from './body.ts';
import { NoAnswer } from './no-answer.ts';

/** The largest head of an answer: its status line and its headers, and all interim answers before it. */
const headBytesMax = 16 * 1024;

/** A receiver that names the time after which it closes an idle connection may do so this much earlier. */
const earlyMs = 1_000;

export type Head = {
  status: number;
  /** Of HTTP, for example `1.1`. */
  version: string;
  /** The headers as they came, one a line. A stranger wrote them. */
  lines: readonly string[];
  retryAfterMs: number | null;
  /** How long the connection may be idle after the answer. 0: it must not be used again. */
  keptMs: number;
};

/**
 * Reads the answer of a receiver from the bytes of a connection. The status alone decides on success (decision 28). So it is read
 * from an answer that is malformed elsewhere too, for example with two lengths: the receiver has stored the event and says so. After
 * such an answer the connection must end, since nobody knows where the next answer would begin.
 */
export class AnswerReader {
  /** What has arrived up to the end of the head. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the answer begins, or an interim answer before it. */
  #begin = 0;
  /** Undefined until the status and all headers are in. */
  head: Head | undefined;
  /** Undefined as long as `head` is. */
  body: BodyReader | undefined;

  /** Throws `NoAnswer` if the bytes are no answer of HTTP/1. */
  add(bytes: Buffer): void {
    if (this.body !== undefined) this.body.add(bytes);
    else this.#addToHead(bytes);
  }

  #addToHead(bytes: Buffer): void {
    const searched = this.#bytes.length - emptyLineBytesMax;
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (this.head === undefined) {
      // Line ends before an answer are read over.
      while (isLineEnd(this.#bytes[this.#begin])) this.#begin += 1;
      const status = statusIn(this.#bytes.toString('latin1', this.#begin, this.#begin + statusBytesMax));
      const end = endOfHead(this.#bytes, Math.max(this.#begin, searched));
      if (Math.min(end, this.#bytes.length) > headBytesMax) throw new NoAnswer('malformed_answer');
      if (status === undefined || end === Number.POSITIVE_INFINITY) return;
      // An interim answer, such as 100 or 103, says nothing about the event. A receiver may send it unasked (RFC 9110, 15.2).
      if (status >= 200) this.#endHead(status, end);
      this.#begin = end;
    }
  }

  #endHead(status: number, end: number): void {
    const [first = '', ...lines] = headLines(this.#bytes.toString('latin1', this.#begin, end));
    const headers = headersIn(lines);
    const { framing, isSure } = framingOf(status, headers);
    const isSound = soundStatusLine.test(first) && lines.every(isSoundField);
    this.head = {
      ...{ status, lines, version: first.slice(versionAt, versionAt + '1.1'.length) },
      retryAfterMs: retryAfterMs(headers('retry-after')),
      keptMs: isSure && isSound ? keptMs(headers) : 0,
    };
    this.body = new BodyReader(framing);
    this.body.add(this.#bytes.subarray(end));
    this.#bytes = Buffer.alloc(0);
  }
}

/** Without the line that is empty. */
const headLines = (head: string): string[] => head.split(/\r?\n/).slice(0, -2);

const isLineEnd = (byte: number | undefined): boolean => byte === 10 || byte === 13;

/** The beginning of every answer, as far as it has arrived. */
const protocol = 'HTTP/1.';
const versionAt = protocol.indexOf('1');
const statusLine = /^HTTP\/1\.\d +([1-9]\d\d)(?: |$)/;
/** The status stands within so many bytes. */
const statusBytesMax = 64;
/** Only a receiver that speaks HTTP/1.1 keeps connections without being asked. */
const soundStatusLine = /^HTTP\/1\.1 \d{3}(?: [\t -~]*)?$/;

/** Returns undefined if the line may still become a status line. */
function statusIn(beginning: string): number | undefined {
  const [line = '', ...more] = beginning.split(/\r?\n/);
  const [, status] = statusLine.exec(line) ?? [];
  const mayBecome =
    protocol.startsWith(line.slice(0, protocol.length)) &&
    more.length === 0 &&
    beginning.length < statusBytesMax;
  if (status === undefined ? !mayBecome : status === '101') throw new NoAnswer('malformed_answer');
  return status === undefined ? undefined : Number(status);
}

/** The empty line with the line feed before it. */
const emptyLineBytesMax = 3;

/** The place after the empty line, or infinity if it has not arrived. A bare line feed ends a line too (RFC 9112, 2.2). */
const endOfHead = (bytes: Buffer, from: number): number =>
  Math.min(
    ...['\n\r\n', '\n\n'].map((ending) => {
      const at = bytes.indexOf(ending, from);
      return at === -1 ? Number.POSITIVE_INFINITY : at + ending.length;
    }),
  );

type Headers = (name: string) => string[];

/** Gives all values of a header. A malformed line is read as well as it can be. */
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
