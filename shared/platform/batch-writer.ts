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
  intervalMs?: number;
  reportIntervalMs?: number;
  stopMs?: number;
};

/**
 * Collects items and writes them in batches. A full batch is written immediately, and a smaller batch after `intervalMs`. While the
 * database is unavailable, items wait. If `waitingMax` items are waiting, a further item is lost and counted.
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
  const settings = { batchSizeMax, waitingMax, intervalMs };
  const losses = createLosses(report, clock, reportIntervalMs);
  const queue = createQueue({ write, losses, ...settings });
  return {
    add: queue.add,
    metrics: () => ({ waiting: queue.size(), lost: losses.total() }),
    async stop() {
      if (queue.size() > 0) await Promise.race([queue.writeAll(), pause(stopMs, undefined, { ref: false })]);
      losses.reportNow(queue.removeAll());
    },
  };
}

type Losses = ReturnType<typeof createLosses>;

/** Counts lost items. Reports their number at most once per `reportIntervalMs`, and also when the writer stops. */
function createLosses(
  report: Parts<unknown>['report'],
  clock: Pick<Clock, 'monotonicMs'>,
  reportIntervalMs: number,
) {
  let unreported = 0;
  let total = 0;
  let lastFault: unknown;
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  function reportWhenDue(): void {
    if (clock.monotonicMs() - reportedAtMs >= reportIntervalMs) reportNow();
  }

  function reportNow(more = 0): void {
    unreported += more;
    if (unreported === 0) return;
    report(unreported, lastFault);
    unreported = 0;
    reportedAtMs = clock.monotonicMs();
  }

  return {
    total: () => total,
    add(count: number): void {
      unreported += count;
      total += count;
      reportWhenDue();
    },
    noteFault(fault: unknown): void {
      lastFault = fault;
    },
    reportWhenDue,
    reportNow,
  };
}

type QueueParts<Item> = Pick<Parts<Item>, 'write'> & {
  losses: Losses;
  batchSizeMax: number;
  waitingMax: number;
  intervalMs: number;
};

/** Holds the waiting items. Only one batch is written at a time. */
function createQueue<Item>({ write, losses, batchSizeMax, waitingMax, intervalMs }: QueueParts<Item>) {
  const waiting: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failing = false;

  function add(item: Item): void {
    if (waiting.length < waitingMax) waiting.push(item);
    else losses.add(1);
    if (writing !== undefined) return;
    if (waiting.length >= batchSizeMax && !failing) void flush();
    else startTimer();
  }

  function startTimer(): void {
    timer ??= setTimeout(() => void flush(), intervalMs);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeFullBatches().finally(() => {
      writing = undefined;
      if (waiting.length > 0) startTimer();
    });
    return writing;
  }

  /**
   * Writes the first batch even if it is not full, and then every further full batch. After a failure, the next write waits for the
   * timer.
   */
  async function writeFullBatches(): Promise<void> {
    do await writeBatch();
    while (waiting.length >= batchSizeMax && !failing);
    losses.reportWhenDue();
  }

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, batchSizeMax);
    const outcome = await tryToWrite(write, batch, losses);
    failing = outcome !== 'written';
    if (outcome !== 'unavailable') waiting.splice(0, batch.length);
  }

  async function writeAll(): Promise<void> {
    await writing;
    while (waiting.length > 0) {
      await flush();
      if (failing) return;
    }
  }

  return {
    size: () => waiting.length,
    add,
    writeAll,
    removeAll(): number {
      clearTimeout(timer);
      return waiting.splice(0).length;
    },
  };
}

/**
 * Writes a batch. If the database refuses the rows, a further try would fail too, so the items are dropped
 * and counted as lost.
 */
async function tryToWrite<Item>(
  write: Parts<Item>['write'],
  batch: readonly Item[],
  losses: Losses,
): Promise<'written' | 'unavailable' | 'refused'> {
  try {
    await write(batch);
    return 'written';
  } catch (error) {
    losses.noteFault(error);
    if (faultCodeOf(error) === 'database_unavailable') return 'unavailable';
    losses.add(batch.length);
    return 'refused';
  }
}
