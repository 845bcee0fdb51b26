/** What may be used of something that comes back at a pace. After a quiet time, all of it may be used at once. */
export class Allowance {
  #used = 0;
  #countedAtMs = 0;

  /** How much of `most` may be used now, if `perMs` of it comes back in a millisecond. */
  left(nowMs: number, { perMs, most }: { perMs: number; most: number }): number {
    this.#used = Math.max(0, this.#used - (nowMs - this.#countedAtMs) * perMs);
    this.#countedAtMs = nowMs;
    return most - this.#used;
  }

  /** A negative number gives something back that was not used after all. */
  use(count: number): void {
    this.#used = Math.max(0, this.#used + count);
  }
}
