import { setTimeout as pause } from 'node:timers/promises';

/** Open loop: so many a second, whether or not earlier ones were answered. Closed loop: each of so many sends its next when answered. */
export type Load = { rate: number; seconds: number } | { inFlight: number; count: number };

/** One create, in milliseconds of the machine's monotonic clock; without an id when it failed. */
export type Create = { id: string | undefined; scheduledMs: number; sentMs: number; answeredMs: number };

/** The same clock in every process of a machine. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export const generate = (load: Load, create: () => Promise<string>): Promise<Create[]> =>
  'rate' in load ? openLoop(load, create) : closedLoop(load, create);

async function openLoop(
  { rate, seconds }: { rate: number; seconds: number },
  create: () => Promise<string>,
): Promise<Create[]> {
  const startMs = nowMs() + 100;
  const creates: Promise<Create>[] = [];
  for (let number = 0; number < rate * seconds; number++) {
    const scheduledMs = startMs + (number * 1_000) / rate;
    const waitMs = scheduledMs - nowMs();
    if (waitMs > 0) await pause(waitMs);
    creates.push(timed(scheduledMs, create));
  }
  return Promise.all(creates);
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
