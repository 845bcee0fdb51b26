import { IncomingMessage } from 'node:http';

/**
 * Each piece of a body costs this process the same few microseconds, whatever its size. Chunks of one byte would therefore let one
 * sender of 400 KB block all others. A body may have `free` pieces, and one further piece for every `bytesMin` bytes.
 */
const pieces = { free: 256, bytesMin: 256 } as const;

/** The lowest average rate of a body. The first `afterMs` of a request do not count, because connections start slowly. */
const rate = { bytesPerSecondMin: 4 * 1024, afterMs: 5_000 } as const;

/** A request whose body must not arrive in tiny pieces or too slowly (decision 40). */
export class GuardedRequest extends IncomingMessage {
  /** True if the connection ends with the answer, because nobody waits for the rest of the body. */
  endsWithAnswer = false;
  readonly #startedMs = performance.now();
  #latestMs = this.#startedMs;
  #pieces = 0;
  #bytes = 0;
  #refuse: (() => void) | undefined;
  #isDropped = false;

  /** The size of what has arrived of the body. */
  get bytesReceived(): number {
    return this.#bytes;
  }

  /** Calls `refuse` once, as soon as the pieces are too small. The rest of the body is then dropped. */
  guard(refuse: () => void): void {
    this.#refuse = refuse;
  }

  /** Drops the rest of the body, which never ends for its reader. The caller answers without it. */
  giveUp(): void {
    this.#isDropped = true;
    this.endsWithAnswer = true;
  }

  /** Node calls this for each piece of the body, and with null at its end. */
  override push(piece: Buffer | null): boolean {
    // The end is dropped as well. Otherwise the reader would take a part of the body for all of it.
    if (this.#isDropped) return true;
    if (piece === null) return super.push(null);
    this.#pieces++;
    this.#bytes += piece.length;
    this.#latestMs = performance.now();
    if (this.#pieces <= pieces.free + this.#bytes / pieces.bytesMin) return super.push(piece);
    this.#isDropped = true;
    this.#refuse?.();
    return true;
  }

  /**
   * True if the body arrives at less than the lowest rate, or has not gone on for `silentMsMax`. False while received pieces wait to be
   * read, since this process is then slow and not the sender.
   */
  isTooSlow(silentMsMax: number): boolean {
    if (this.complete || this.readableLength > 0) return false;
    const nowMs = performance.now();
    if (nowMs - this.#latestMs > silentMsMax) return true;
    const countedMs = nowMs - this.#startedMs - rate.afterMs;
    return this.#bytes < (countedMs / 1_000) * rate.bytesPerSecondMin;
  }
}
