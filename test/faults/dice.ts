/** The decisions of one round. The same seed always makes the same decisions, in the same order. */
export type Dice = {
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** True with this probability. */
  chance(probability: number): boolean;
};

/** The generator is mulberry32, whose state is one number of 32 bits. */
export function diceOf(seed: number): Dice {
  let state = Math.imul(seed, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    whole,
    chance: (probability) => next() < probability,
    pick(choices) {
      const choice = choices[whole(0, choices.length - 1)];
      if (choice === undefined) throw new Error('there is nothing to choose from');
      return choice;
    },
  };
}
