import { eventLoopUtilization } from 'node:perf_hooks';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { link, programsBelow, read } from '#test/integration/pictures/processes.ts';
import { documentReader } from '#test/support/examiners/document-reader.ts';
import { runProgram } from '#test/support/program.ts';
import { collectedLog } from '#test/support/run-logs.ts';
import { drawn } from '#test/support/specimens/card.ts';
import { eriksson } from '#test/support/specimens/people.ts';
import { photograph } from '#test/support/specimens/photograph.ts';

const today = new Date('2026-11-21T12:00:00Z');
const passport = { front: await photograph(drawn({ format: 'TD3', person: eriksson }).front), back: null };
const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('reader', lines);

const readers: DocumentReader[] = [];

async function started(program: Partial<Program> = {}, atOnce = 1): Promise<DocumentReader> {
  const reader = await documentReader(program, log, atOnce);
  readers.push(reader);
  return reader;
}

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close();
  logged = '';
});

const wordsOf = async (reader: DocumentReader) => {
  const { checks } = await reader.check(passport, today);
  return checks.slice(1).map(({ result }) => result);
};
const allPassed = ['passed', 'passed', 'passed'];
const couldNot = /^The document could not be examined$/;

const programs = () => programsBelow(process.pid, 'document/program.ts');

const memoryOf = (pid = 0) => Number(/VmRSS:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024;

/** Waits for a process that has its document. One that is only ready takes 190 MB, and one at work up to 450. */
async function atWork(): Promise<number> {
  await expect.poll(() => memoryOf(programs()[0]), { timeout: 20_000 }).toBeGreaterThan(250_000_000);
  return programs()[0] as number;
}

test.each([1, 2])(
  'documents are examined %i at once, each in a process of its own, and this process stays free',
  async (atOnce) => {
    const reader = await started({}, atOnce);
    const seen = new Set<number>();
    let most = 0;
    const watch = setInterval(() => {
      const now = programs();
      most = Math.max(most, now.length);
      for (const pid of now) seen.add(pid);
    }, 100);
    const before = eventLoopUtilization();
    const words = await Promise.all(Array.from({ length: atOnce + 1 }, () => wordsOf(reader)));
    clearInterval(watch);
    expect(words).toEqual(Array.from({ length: atOnce + 1 }, () => allPassed));
    expect([most, seen.size]).toEqual([atOnce, atOnce + 1]);
    expect(eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  },
);

test('a process that dies takes its document with it, and no other', async () => {
  const reader = await started();
  const [lost, next] = [wordsOf(reader), wordsOf(reader)];
  const refused = expect(lost).rejects.toThrow(couldNot);
  process.kill(await atWork(), 'SIGKILL');
  await refused;
  expect(logged).toContain('"program":"document","reason":"died"');
  await expect(next).resolves.toEqual(allPassed);
});

test('a document that takes too long is given up', async () => {
  const reader = await started({ jobMs: 100 });
  await expect(wordsOf(reader)).rejects.toThrow(couldNot);
  expect(logged).toContain('"program":"document","reason":"late"');
});

test('after an examination its memory is free', async () => {
  const reader = await started();
  await expect(wordsOf(reader)).resolves.toEqual(allPassed);
  await expect.poll(() => programs()).toEqual([]);
});

test('the process has no environment, gains no rights and, where the machine allows that, has no network', async () => {
  const { namespaces } = await findIsolation(log);
  const reader = await started();
  const words = wordsOf(reader);
  const pid = await atWork();
  expect(read(pid, 'environ')).not.toMatch(/PATH|HOME|VITEST/);
  expect(read(pid, 'status')).toMatch(/^NoNewPrivs:\t1$/m);
  expect(link(pid, 'ns/net') !== link(process.pid, 'ns/net')).toBe(namespaces);
  await words;
});

describe('a process that was taken over', () => {
  const checks = ['document_integrity', 'document_expiry', 'mrz_check_digits', 'data_consistency'].map(
    (kind) => ({ kind, result: 'passed', confidence: 0.5 }),
  );
  const corners = [
    [0.1, 0.1],
    [0.2, 0.1],
    [0.2, 0.2],
    [0.1, 0.2],
  ];
  const field = {
    ...{ field: 'surname', value: 'A', agreed: true, inPrint: null, print: [] },
    zone: { side: 'front', corners },
  };
  const read = { ratios: [1.5], fields: [field] };
  const answered = async (...answer: unknown[]) => {
    const reader = await started({ file: new URL('./echo-sides.ts', import.meta.url), given: undefined });
    const [front, back = null] = answer.map((part) =>
      Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)),
    );
    return reader.check({ front: front as Buffer, back }, today);
  };

  test('is believed if its answer has the right shape', async () => {
    expect(await answered(checks, read)).toEqual({ checks, read });
  });

  test.each([
    ['no JSON', 'no json', read],
    ['no checks', [], read],
    ['a check too few', checks.slice(1), read],
    ['a check of which it is too sure', [{ ...checks[0], confidence: 7 }, ...checks.slice(1)], read],
    ['checks alone', checks],
    ['fields that are no JSON', checks, 'no json'],
    ['a field that does not exist', checks, { ...read, fields: [{ ...field, field: 'bsn' }] }],
    ['a long value', checks, { ...read, fields: [{ ...field, value: 'A'.repeat(61) }] }],
    [
      'a place far outside',
      checks,
      { ...read, fields: [{ ...field, print: [{ side: 'front', corners: corners.map(() => [9, 9]) }] }] },
    ],
    ['more fields than there are', checks, { ...read, fields: new Array(9).fill(field) }],
  ])('has examined nothing if it answers with %s', async (_, ...answer) => {
    await expect(answered(...answer)).rejects.toThrow(couldNot);
  });
});

test('a closed reader ends its work and accepts nothing more', async () => {
  const reader = await started();
  const refused = Promise.all([
    expect(wordsOf(reader)).rejects.toThrow(couldNot),
    expect(wordsOf(reader)).rejects.toThrow(/^The program for document is closed$/),
  ]);
  const pid = await atWork();
  await reader.close();
  await refused;
  await expect(wordsOf(reader)).rejects.toThrow(/^The program for document is closed$/);
  await expect.poll(() => read(pid, 'status')).toBeUndefined();
});

test('a reader that is left open keeps no process alive, and prints nothing that it read', async () => {
  const program = runProgram('test/integration/checks/left-open.ts', {});
  await expect(program.exited).resolves.toBe(0);
  expect(program.output()).toContain('mrz_check_digits passed');
  expect(program.output()).not.toMatch(/ERIKSSON|ANNA|L898902C3|740812|320415/i);
});
