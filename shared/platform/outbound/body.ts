import { limits } from '#contract/limits.ts';

/** The most that is read of a body. Chunks take more bytes than their content. */
const bytesMax = 2 * limits.responseExcerptBytesMax;

/** How a body ends: after a number of bytes, after its last chunk, or with the connection. */
export type Framing = number | 'chunked' | 'closed';

/** A line of a header or of a trailer (RFC 9112, 5). The standard also permits bytes beyond ASCII in its value. */
export const isSoundField = (line: string): boolean => /^[\w!#$%&'*+.^`|~-]+:[\t -~]*$/.test(line);

const chunkLine = /^([\da-f]{1,8})[ \t]*(?:;.*)?\r$/i;
const emptyLine = '\r';

/** What is read next. After `broken` nobody knows where the next answer would begin. */
type Part = 'content' | 'size' | 'end of chunk' | 'trailers' | 'over' | 'broken';

/** Reads the body of an answer as it arrives. No byte is parsed again, since a receiver can send a body byte by byte. */
export class BodyReader {
  #part: Part;
  /** How many bytes of the chunk are still to come, or of a body without chunks. */
  #left: number;
  readonly #afterContent: Part;
  #excerpt: Buffer = Buffer.alloc(0);
  /** What is not read yet: the beginning of a line, or what follows the body. */
  #rest: Buffer = Buffer.alloc(0);
  #arrivedBytes = 0;

  constructor(framing: Framing) {
    const isChunked = framing === 'chunked';
    this.#part = isChunked ? 'size' : 'content';
    this.#afterContent = isChunked ? 'end of chunk' : 'over';
    this.#left = typeof framing === 'number' ? framing : Number.POSITIVE_INFINITY;
  }

  add(bytes: Buffer): void {
    this.#arrivedBytes += bytes.length;
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#readPart());
  }

  get excerpt(): Buffer {
    return this.#excerpt.subarray(0, limits.responseExcerptBytesMax);
  }

  /** Nothing more of it is read. */
  get isOver(): boolean {
    return (
      this.#part === 'over' ||
      this.#part === 'broken' ||
      this.#excerpt.length >= limits.responseExcerptBytesMax ||
      this.#arrivedBytes >= bytesMax
    );
  }

  /** It ended where it said, and nothing has followed it. So the next answer begins there. */
  get isClean(): boolean {
    return this.#part === 'over' && this.#rest.length === 0;
  }

  /** Returns false if the part is not complete, or the last. */
  #readPart(): boolean {
    if (this.#part === 'over' || this.#part === 'broken') return false;
    if (this.#part === 'content') {
      const content = this.#take(Math.min(this.#left, this.#rest.length));
      this.#excerpt = Buffer.concat([this.#excerpt, content]);
      this.#left -= content.length;
      if (this.#left > 0) return false;
      this.#part = this.#afterContent;
      return true;
    }
    const end = this.#rest.indexOf('\n');
    if (end === -1) return false;
    this.#part = this.#after(this.#take(end + 1).toString('latin1', 0, end));
    return true;
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }

  /** Returns the part that follows a line. */
  #after(line: string): Part {
    if (this.#part === 'end of chunk') return line === emptyLine ? 'size' : 'broken';
    if (this.#part === 'trailers') {
      if (line === emptyLine) return 'over';
      return line.endsWith('\r') && isSoundField(line.slice(0, -1)) ? 'trailers' : 'broken';
    }
    const [, digits] = chunkLine.exec(line) ?? [];
    if (digits === undefined) return 'broken';
    this.#left = Number.parseInt(digits, 16);
    return this.#left === 0 ? 'trailers' : 'content';
  }
}
