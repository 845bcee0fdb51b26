import { bytesOf } from '#test/support/seed.ts';

/** Chances that depend on the seed and on a name. The same name draws the same in each run. */
export class Dice {
  readonly #name: string;
  #drawn = 0;
  constructor(name: string) {
    this.#name = name;
  }

  /** A number from 0 to 1, without 1. */
  share(): number {
    return bytesOf(`income ${this.#name} ${this.#drawn++}`, 4).readUInt32BE() / 2 ** 32;
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.share() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.share() < share;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.whole(0, from.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}
