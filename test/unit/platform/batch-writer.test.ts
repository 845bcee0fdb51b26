import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBatchWriter } from '#platform/batch-writer.ts';

const databaseDown = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
const refusedRow = () => Promise.reject(Object.assign(new Error('refused'), { code: '22003' }));
const never = () => new Promise<void>(() => undefined);

let nowMs: number;
beforeEach(() => {
  nowMs = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = async (ms: number) => {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
};

function setUp() {
  const write = vi.fn<(batch: readonly number[]) => Promise<void>>(async () => undefined);
  const report = vi.fn<(lost: number, fault: unknown) => void>();
  const clock = { monotonicMs: () => nowMs };
  const limits = { batchSizeMax: 3, waitingMax: 5, stopMs: 100 };
  const writer = createBatchWriter<number>({ write, report, clock, ...limits });
  const add = (...items: number[]) => {
    for (const item of items) writer.add(item);
  };
  return { write, report, writer, add, written: () => write.mock.calls.map(([batch]) => batch) };
}

test('items wait a second for others and are then written together', async () => {
  const { add, written } = setUp();
  add(1, 2);
  await pass(999);
  expect(written()).toEqual([]);
  await pass(1);
  expect(written()).toEqual([[1, 2]]);
  await pass(10_000);
  expect(written()).toHaveLength(1);
});

test('a full batch does not wait', async () => {
  const { add, written } = setUp();
  add(1, 2, 3, 4);
  await pass(0);
  expect(written()).toEqual([[1, 2, 3]]);
  await pass(1_000);
  expect(written()).toEqual([[1, 2, 3], [4]]);
});

test('one batch is written at a time', async () => {
  const { add, write } = setUp();
  write.mockImplementation(never);
  add(1, 2, 3, 4, 5);
  await pass(60_000);
  expect(write).toHaveBeenCalledTimes(1);
});

test('while the database is down a batch is tried once a second, keeps its order, and nothing is lost', async () => {
  const { add, write, written, report } = setUp();
  write.mockImplementation(databaseDown);
  add(1, 2, 3);
  for (const item of [4, 5]) {
    await pass(500);
    add(item);
  }
  await pass(500);
  expect(write.mock.calls.length).toBeLessThanOrEqual(3);
  write.mockReset();
  await pass(1_000);
  await pass(1_000);
  expect(written()).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(report).not.toHaveBeenCalled();
});

test('no more wait than are allowed; the rest is counted and reported once a minute, with what the database said', async () => {
  const { add, write, written, report } = setUp();
  write.mockImplementation(databaseDown);
  add(1, 2, 3);
  await pass(10);
  add(4, 5, 6, 7, 8);
  await pass(30_000);
  add(9);
  expect(report.mock.calls).toEqual([[1, expect.objectContaining({ code: 'ECONNREFUSED' })]]);
  await pass(30_000);
  expect(report.mock.calls.map(([lost]) => lost)).toEqual([1, 3]);
  write.mockReset();
  await pass(2_000);
  expect(written().flat()).toEqual([1, 2, 3, 4, 5]);
});

test('a batch that the database refuses for what it holds does not block the next', async () => {
  const { add, write, written, report } = setUp();
  write.mockImplementationOnce(refusedRow);
  add(1, 2, 3, 4);
  await pass(1_000);
  expect(written()).toEqual([[1, 2, 3], [4]]);
  expect(report).toHaveBeenCalledExactlyOnceWith(3, expect.objectContaining({ code: '22003' }));
});

test('at the stop all that waits is written', async () => {
  const { add, writer, written } = setUp();
  add(1, 2, 3, 4);
  await writer.stop();
  expect(written()).toEqual([[1, 2, 3], [4]]);
});

test.each([
  ['hangs', never],
  ['is down', databaseDown],
])('when the database %s, the stop ends in time and says what was lost', async (_, outage) => {
  const { add, writer, write, report } = setUp();
  write.mockImplementation(outage);
  add(1, 2);
  await writer.stop();
  expect(report.mock.calls.map(([lost]) => lost)).toEqual([2]);
  await pass(60_000);
  expect(write).toHaveBeenCalledTimes(1);
});
