import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { faultCodeOf } from './failures.ts';

export type BatchWriter<Item> = {
  /** Returns at once; whatever becomes of the item is no concern of the caller. */
  add(item: Item): void;
  /** Items that wait now, and those that were given up so far. */
  metrics(): { waiting: number; lost: number };
  /** Writes what waits, in a bounded time. */
  stop(): Promise<void>;
};

type Parts<Item> = {
  /** May be repeated with the same items when its answer was lost. */
  write(batch: readonly Item[]): Promise<unknown>;
  /** How many items were given up since the last report, and what the database said last. */
  report(lost: number, fault: unknown): void;
  clock: Pick<Clock, 'monotonicMs'>;
  batchSizeMax?: number;
  waitingMax?: number;
  intervalMs?: number;
  reportIntervalMs?: number;
  stopMs?: number;
};

/**
 * Gathers items and writes them together, after `intervalMs` or as soon as a batch is full. While the database cannot take
 * them they wait, `waitingMax` at most; what comes on top is given up and counted.
 */
export function createBatchWriter<Item>({
  write,
  report,
  clock,
  batchSizeMax = 500,
  waitingMax = 10_000,
  intervalMs = 1_000,
  reportIntervalMs = 60_000,
  stopMs = 3_000,
}: Parts<Item>): BatchWriter<Item> {
  const waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failing = false;
  let lost = 0;
  let lostInAll = 0;
  let lastFault: unknown;
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  function add(item: Item): void {
    if (waiting.length < waitingMax) waiting.push(item);
    else giveUp(1);
    if (writing !== undefined) return;
    if (waiting.length >= batchSizeMax && !failing) void flush();
    else arm();
  }

  function arm(): void {
    timer ??= setTimeout(() => void flush(), intervalMs);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeFullBatches().finally(() => {
      writing = undefined;
      if (waiting.length > 0) arm();
    });
    return writing;
  }

  /** One batch in any case, then as many as are full. After a failure the next try is the timer's. */
  async function writeFullBatches(): Promise<void> {
    do {
      await writeBatch();
    } while (waiting.length >= batchSizeMax && !failing);
    reportWhenDue();
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, batchSizeMax);
    try {
      await write(batch);
      failing = false;
    } catch (error) {
      failing = true;
      lastFault = error;
      if (faultCodeOf(error) === 'database_unavailable') return;
      // What the database refuses for what it is would be refused for ever.
      giveUp(batch.length);
    }
    waiting.splice(0, batch.length);
  }

  function giveUp(count: number): void {
    lost += count;
    lostInAll += count;
    reportWhenDue();
  }

  function reportWhenDue(): void {
    if (clock.monotonicMs() - reportedAtMs >= reportIntervalMs) reportLost();
  }

  function reportLost(): void {
    if (lost === 0) return;
    report(lost, lastFault);
    lost = 0;
    reportedAtMs = clock.monotonicMs();
  }

  async function writeTheRest(): Promise<void> {
    await writing;
    while (waiting.length > 0) {
      await flush();
      if (failing) return;
    }
  }

  return {
    add,
    metrics: () => ({ waiting: waiting.length, lost: lostInAll }),
    async stop() {
      if (waiting.length > 0) await Promise.race([writeTheRest(), pause(stopMs, undefined, { ref: false })]);
      clearTimeout(timer);
      lost += waiting.length;
      waiting.length = 0;
      reportLost();
    },
  };
}
