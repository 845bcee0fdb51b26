import { setTimeout as pause } from 'node:timers/promises';

export type Load = { rate: number; seconds: number };

/** One create, in milliseconds of the machine's monotonic clock; without an id when it failed. */
export type Create = { id: string | undefined; scheduledMs: number; sentMs: number; answeredMs: number };

/** The same clock in every process of a machine. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Open loop: each create starts at its moment, whether or not earlier ones have returned. */
export async function openLoop({ rate, seconds }: Load, create: () => Promise<string>): Promise<Create[]> {
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

async function timed(scheduledMs: number, create: () => Promise<string>): Promise<Create> {
  const sentMs = nowMs();
  const id = await create().catch(() => undefined);
  return { id, scheduledMs, sentMs, answeredMs: nowMs() };
}
