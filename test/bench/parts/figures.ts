import type { Create } from './load.ts';
import type { Arrival } from './receiver.ts';

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Creates of one program: times in milliseconds, and processor milliseconds per create of each process. */
export type Round = {
  program: string;
  sent: number;
  answered: number;
  /**
   * The creates whose deliveries all arrived exactly once. If there are no endpoints, this is the number of arrivals, which must be
   * 0.
   */
  received: number;
  expected: number;
  perSecond: number;
  post: number[];
  /** The time between the planned start of a create and the arrival of the first byte at its last receiver. */
  firstByte: number[];
  processor: Record<string, number>;
};

type Made = { program: string; creates: Create[]; arrivals: Arrival[]; endpoints: number };

export function roundOf({ program, creates, arrivals, endpoints }: Made): Omit<Round, 'processor'> {
  const arrived = Map.groupBy(arrivals, ({ id }) => id);
  const answered = creates.flatMap(({ id, ...times }) => (id === undefined ? [] : [{ id, ...times }]));
  const whole = answered.flatMap(({ id, scheduledMs }) => {
    const of = arrived.get(id) ?? [];
    const paths = new Set(of.map(({ path }) => path));
    return of.length === endpoints && paths.size === endpoints
      ? [Math.max(...of.map(({ atMs }) => atMs)) - scheduledMs]
      : [];
  });
  const [first, last] = [
    Math.min(...creates.map(({ sentMs }) => sentMs)),
    Math.max(...creates.map(({ answeredMs }) => answeredMs)),
  ];
  return {
    program,
    sent: creates.length,
    answered: answered.length,
    received: endpoints === 0 ? arrivals.length : whole.length,
    expected: endpoints === 0 ? 0 : creates.length,
    perSecond: (answered.length / (last - first)) * 1_000,
    post: answered.map(({ scheduledMs, answeredMs }) => answeredMs - scheduledMs),
    firstByte: endpoints === 0 ? [] : whole,
  };
}

/** True if every create was answered and each of its deliveries came exactly once. */
export const balances = ({ sent, answered, received, expected }: Round): boolean =>
  sent === answered && received === expected;

const shares = [0.5, 0.9, 0.99];

export const spread = (values: readonly number[]): string =>
  values.length === 0 ? '–' : shares.map((share) => quantile(values, share).toFixed(1)).join(' / ');

export const processorOf = ({ processor }: Pick<Round, 'processor'>): string =>
  Object.entries(processor)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    .join(', ');

export const describe = (round: Round): string =>
  [
    `${round.program.padEnd(6)} ${round.sent} sent = ${round.answered} answered, ${round.received} of ${round.expected} delivered`,
    `${round.perSecond.toFixed(1)}/s`,
    `POST ${spread(round.post)}`,
    `to first byte ${spread(round.firstByte)}`,
    `processor ms ${processorOf(round)}`,
  ].join(' | ');

/** Two rounds that ran one after the other: one of the bare program `floor` and one of the product. */
export type Pair = { floor: Round; ours: Round };

export const ratioOf = (pairs: readonly Pair[], figure: (round: Round) => number): number =>
  median(pairs.map(({ ours, floor }) => figure(ours) / figure(floor)));

export const pooled = (rounds: readonly Round[], what: 'post' | 'firstByte'): number[] =>
  rounds.flatMap((round) => round[what]);
