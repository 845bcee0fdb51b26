import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import { faultCodeOf } from './failures.ts';

export type BatchWriter<Item> = {
  /** Returns immediately and never throws. The caller does not learn whether the item was written. */
  add(item: Item): void;
  /**
   * `waiting` is the number of items that are not written yet. `lost` is the number of items lost since the start of the process.
   */
  metrics(): { waiting: number; lost: number };
  /** Writes the waiting items for at most `stopMs`, or until a write fails. The items that are still waiting are then lost. */
  stop(): Promise<void>;
};

type Parts<Item> = {
  /** This function must be idempotent. If the answer of the database is lost, the same items are written again. */
  write(batch: readonly Item[]): Promise<unknown>;
  /** `lost` is the number of items lost since the previous report. `fault` is the last error of `write`. */
  report(lost: number, fault: unknown): void;
  clock: Pick<Clock, 'monotonicMs'>;
  batchSizeMax?: number;
  waitingMax?: number;
  stopMs?: number;
};

const intervalMs = 1_000;
const reportIntervalMs = 60_000;

/**
 * Collects items and writes them in batches, one at a time. A full batch is written immediately, and a smaller batch after
 * `intervalMs`. While the database is unavailable, items wait. If `waitingMax` items are waiting, a further item is lost and counted.
 */
export function createBatchWriter<Item>(parts: Parts<Item>): BatchWriter<Item> {
  const { write, batchSizeMax = 500, waitingMax = 10_000, stopMs = 3_000 } = parts;
  const waiting: Item[] = [];
  const losses = createLosses(parts);
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failing = false;

  /** Writes the first batch even if it is not full, and further ones while `least` items wait. After a failure it waits for the timer. */
  async function writeBatches(least: number): Promise<void> {
    do await writeBatch(waiting.slice(0, batchSizeMax));
    while (waiting.length >= least && !failing);
    losses.add(0);
  }

  async function writeBatch(batch: readonly Item[]): Promise<void> {
    failing = false;
    try {
      await write(batch);
    } catch (error) {
      failing = true;
      losses.noteFault(error);
      if (faultCodeOf(error) === 'database_unavailable') return;
      // The database refuses the rows, so a further try would fail too.
      losses.add(batch.length);
    }
    waiting.splice(0, batch.length);
  }

  function flush(least: number): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeBatches(least).finally(() => {
      writing = undefined;
      if (waiting.length > 0) startTimer();
    });
    return writing;
  }

  function startTimer(): void {
    timer ??= setTimeout(() => void flush(batchSizeMax), intervalMs);
  }

  async function writeAll(): Promise<void> {
    await writing;
    if (waiting.length > 0) await flush(1);
  }

  return {
    add(item) {
      if (waiting.length < waitingMax) waiting.push(item);
      else losses.add(1);
      if (writing !== undefined) return;
      if (waiting.length >= batchSizeMax && !failing) void flush(batchSizeMax);
      else startTimer();
    },
    metrics: () => ({ waiting: waiting.length, lost: losses.total() }),
    async stop() {
      if (waiting.length > 0) await Promise.race([writeAll(), pause(stopMs, undefined, { ref: false })]);
      clearTimeout(timer);
      losses.add(waiting.splice(0).length, 0);
    },
  };
}

/** Counts lost items. Reports their number at most once per `reportIntervalMs`, and also when the writer stops. */
function createLosses({ report, clock }: Pick<Parts<never>, 'report' | 'clock'>) {
  let total = 0;
  let reported = 0;
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  let lastFault: unknown;
  return {
    total: () => total,
    noteFault(fault: unknown): void {
      lastFault = fault;
    },
    add(count: number, everyMs = reportIntervalMs): void {
      total += count;
      if (total === reported || clock.monotonicMs() - reportedAtMs < everyMs) return;
      report(total - reported, lastFault);
      reported = total;
      reportedAtMs = clock.monotonicMs();
    },
  };
}
