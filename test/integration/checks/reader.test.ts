import { eventLoopUtilization } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { type ReaderLimits, startDocumentReader } from '#activities/checks/document/reader.ts';
import type { DocumentReader } from '#activities/checks/port.ts';
import { runProgram } from '#test/support/program.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';

const today = new Date('2026-11-21T12:00:00Z');
const passport = { front: await photograph(drawn({ format: 'TD3', person: eriksson }).front), back: null };

const readers: DocumentReader[] = [];
const threads: Worker[] = [];
const atWork: Worker[] = [];
process.on('worker', (thread) => {
  threads.push(thread);
  thread.once('online', () => atWork.push(thread));
});

function started(limits?: ReaderLimits): DocumentReader {
  const reader = startDocumentReader(limits);
  readers.push(reader);
  return reader;
}

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
  threads.length = 0;
  atWork.length = 0;
});

const wordsOf = async (reader: DocumentReader) => {
  const checks = await reader.check(passport, today);
  return checks.slice(1).map(({ result }) => result);
};
const allPassed = ['passed', 'passed', 'passed'];

/** Waits for the first thread that works on a document. */
async function firstThread(): Promise<Worker> {
  await expect.poll(() => atWork.length).toBeGreaterThan(0);
  return atWork[0] as Worker;
}

test('documents are examined one after the other, in one thread, and the process stays free', async () => {
  const reader = started();
  const before = eventLoopUtilization();
  const words = await Promise.all([wordsOf(reader), wordsOf(reader)]);
  expect(words).toEqual([allPassed, allPassed]);
  expect(threads).toHaveLength(1);
  expect(eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('a thread that dies takes its document with it, and no other', async () => {
  const reader = started();
  const [lost, next] = [wordsOf(reader), wordsOf(reader)];
  const refused = expect(lost).rejects.toThrow(/^The document could not be examined$/);
  await (await firstThread()).terminate();
  await refused;
  await expect(next).resolves.toEqual(allPassed);
  expect(threads).toHaveLength(2);
});

test('a document that takes too long is given up', async () => {
  const reader = started({ jobMs: 100, idleMs: 60_000 });
  await expect(wordsOf(reader)).rejects.toThrow(/^The document could not be examined$/);
});

test('a thread without work gives its memory back, and the next document starts another', async () => {
  const reader = started({ jobMs: 60_000, idleMs: 0 });
  await expect(wordsOf(reader)).resolves.toEqual(allPassed);
  await expect.poll(() => threads[0]?.threadId).toBe(-1);
  await expect(wordsOf(reader)).resolves.toEqual(allPassed);
  expect(threads).toHaveLength(2);
});

test('a closed reader ends its work and accepts nothing more', async () => {
  const reader = started();
  const refused = Promise.all([
    expect(wordsOf(reader)).rejects.toThrow(/^The document could not be examined$/),
    expect(wordsOf(reader)).rejects.toThrow(/^The document reader is closed$/),
  ]);
  const thread = await firstThread();
  await reader.close();
  await refused;
  await expect(wordsOf(reader)).rejects.toThrow(/^The document reader is closed$/);
  expect(thread.threadId).toBe(-1);
});

test('a reader that is left open keeps no process alive, and prints nothing that it read', async () => {
  const program = runProgram('test/integration/checks/left-open.ts', {});
  await expect(program.exited).resolves.toBe(0);
  expect(program.output()).toContain('mrz_check_digits passed');
  expect(program.output()).not.toMatch(/ERIKSSON|ANNA|L898902C3|740812|320415/i);
});
