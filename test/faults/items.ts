import { type Environment, type Outcome, outcomes } from '#contract/enums.ts';
import { diceOf } from './dice.ts';

/** What becomes of a verification after its creation. */
export const endings = ['at birth', 'by a call', 'by a person', 'by many at once'] as const;
export type Ending = (typeof endings)[number];

/** One verification that the client wants. It has one idempotency key and one body, and is sent again until it is answered. */
export type Item = {
  /** The seed of its round. */
  seed: number;
  key: string;
  environment: Environment;
  ending: Ending;
  /** The outcome that its creator asks for. It means nothing in live. */
  scenario: Outcome;
  /** The share of the load's time that passes between the creation and the next step. */
  thinks: number;
};

/** The items of one round: of each two one is completed at birth and one by a call. Then come persons and a crowd. */
export function itemsOf(seed: number, count: number): Item[] {
  const dice = diceOf(-seed);
  const item = (number: number, ending: Ending, environment: Environment = 'sandbox'): Item => ({
    seed,
    key: `round-${seed}-item-${number}`,
    environment,
    ending,
    scenario: dice.pick(outcomes),
    thinks: dice.whole(0, 50) / 100,
  });
  return [
    ...Array.from({ length: count }, (_, n) => item(n, n % 2 === 0 ? 'at birth' : 'by a call')),
    item(count, 'by a person'),
    item(count + 1, 'by a person', 'live'),
    item(count + 2, 'by many at once'),
  ];
}

export const seedOf = (key: string): number | undefined => {
  const seed = /^round-(\d+)-/.exec(key)?.[1];
  return seed === undefined ? undefined : Number(seed);
};
