import { setTimeout as pause } from 'node:timers/promises';

/**
 * Open loop: creates are sent at a fixed rate, whether or not earlier ones were answered. Closed loop: `inFlight` senders each send
 * the next create after their last was answered.
 */
export type Load = { rate: number; seconds: number } | { inFlight: number; count: number };

/** One create, with times in milliseconds of the machine's monotonic clock. A create that failed has no id. */
export type Create = { id: string | undefined; scheduledMs: number; sentMs: number; answeredMs: number };

/** Milliseconds of the monotonic clock, which is the same in every process of a machine. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export const generate = (load: Load, create: () => Promise<string>): Promise<Create[]> =>
  'rate' in load ? openLoop(load, (scheduledMs) => timed(scheduledMs, create)) : closedLoop(load, create);

/** Calls `make` at a fixed rate with the time at which it should be called, and resolves with all results in this order. */
export async function openLoop<Made>(
  { rate, seconds }: { rate: number; seconds: number },
  make: (scheduledMs: number) => Promise<Made>,
): Promise<Made[]> {
  const startMs = nowMs() + 100;
  const made: Promise<Made>[] = [];
  for (let number = 0; number < rate * seconds; number++) {
    const scheduledMs = startMs + (number * 1_000) / rate;
    const waitMs = scheduledMs - nowMs();
    if (waitMs > 0) await pause(waitMs);
    made.push(make(scheduledMs));
  }
  return Promise.all(made);
}

async function closedLoop(
  { inFlight, count }: { inFlight: number; count: number },
  create: () => Promise<string>,
): Promise<Create[]> {
  const creates: Create[] = [];
  let left = count;
  const inTurn = async () => {
    while (left-- > 0) creates.push(await timed(nowMs(), create));
  };
  await Promise.all(Array.from({ length: inFlight }, inTurn));
  return creates;
}

async function timed(scheduledMs: number, create: () => Promise<string>): Promise<Create> {
  const sentMs = nowMs();
  const id = await create().catch(() => undefined);
  return { id, scheduledMs, sentMs, answeredMs: nowMs() };
}
