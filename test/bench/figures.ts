import type { Create } from './load.ts';
import type { Arrival } from './receiver.ts';

/** Milliseconds of every create in a round, and processor milliseconds per create. */
export type Round = {
  program: string;
  sent: number;
  answered: number;
  received: number;
  post: number[];
  sendToFirstByte: number[];
  answerToFirstByte: number[];
  processor: Record<string, number | undefined>;
};

export function roundOf(program: string, creates: Create[], arrivals: Arrival[]) {
  const arrivedMs = new Map(arrivals.map(({ id, atMs }) => [id, atMs]));
  const answered = creates.flatMap(({ id, ...times }) => (id === undefined ? [] : [{ id, ...times }]));
  const whole = answered.flatMap(({ id, ...times }) => {
    const atMs = arrivedMs.get(id);
    return atMs === undefined ? [] : [{ ...times, atMs }];
  });
  return {
    program,
    sent: creates.length,
    answered: answered.length,
    received: arrivals.length,
    matched: whole.length,
    post: answered.map(({ scheduledMs, answeredMs }) => answeredMs - scheduledMs),
    sendToFirstByte: whole.map(({ scheduledMs, atMs }) => atMs - scheduledMs),
    answerToFirstByte: whole.map(({ answeredMs, atMs }) => atMs - answeredMs),
  };
}

/** Every create was answered, and every one was delivered, once. */
export const balances = ({ sent, answered, received, matched }: ReturnType<typeof roundOf>): boolean =>
  sent === answered && sent === received && sent === matched;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

const shares = [0.5, 0.9, 0.99];

export function describe(round: Round): string {
  const spread = (values: number[]) => shares.map((share) => quantile(values, share).toFixed(1)).join(' / ');
  const processor = Object.entries(round.processor).map(
    ([name, ms]) => `${name} ${ms?.toFixed(1) ?? 'unknown'}`,
  );
  return [
    `${round.program.padEnd(6)} ${round.sent} sent = ${round.answered} answered = ${round.received} received`,
    `POST ${spread(round.post)}`,
    `send to first byte ${spread(round.sendToFirstByte)}`,
    `answer to first byte ${spread(round.answerToFirstByte)}`,
    `processor ${processor.join(', ')}`,
  ].join(' | ');
}

type Timed = 'post' | 'sendToFirstByte' | 'answerToFirstByte';

/** Of two rounds that ran one after the other: how many times the floor's. */
export const ratio = (ours: Round, floor: Round, what: Timed, share: number): number =>
  quantile(ours[what], share) / quantile(floor[what], share);
