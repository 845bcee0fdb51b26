import { hash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { textNetworks } from '#activities/checks/networks/text-networks.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPrograms, NotStarted } from '#platform/isolated/programs.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { collectedLog } from '#test/support/run-logs.ts';

const parts = [Buffer.alloc(20_000_000, 'a'), Buffer.alloc(0), Buffer.from('b')];
const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('given', lines);
const isolation = await findIsolation(log);

function programs(name: string, given: Program['given'], readyMs = 30_000) {
  const program: Program = {
    file: new URL(`./${name}.ts`, import.meta.url),
    ...{ given, readyMs, jobMs: 30_000, answerBytesMax: 1_000, memoryBytesMax: 1_200_000_000 },
  };
  const made = createPrograms({
    ...{ isolation, program, name: 'document', sparesMax: 0, log, instruments: noInstruments },
  });
  atTheEnd(made.close);
  return made;
}

const notStarted = /"program":"document","msg":"an isolated program could not be started"/g;

test('a program is given once what it needs, before its job', async () => {
  const given = vi.fn(async () => parts);
  const told = [...parts.map((part) => hash('sha256', part)), 'the job'];
  const answer = await programs('tells', given).run([Buffer.from('the job')]);
  expect(Array.from(answer, String)).toEqual(told);
  expect(given).toHaveBeenCalledTimes(1);
});

test.each<[how: string, name: string, given: Program['given']]>([
  ['that dies while it is given what it needs', 'leaves', async () => parts],
  ['that cannot be given what it needs', 'tells', () => Promise.reject(new Error('There is no such file'))],
])('a program %s is one that could not be started', async (_, name, given) => {
  logged = '';
  await expect(programs(name, given).run([])).rejects.toThrow(NotStarted);
  expect(logged.match(notStarted)).toHaveLength(1);
});

test('programs that read slowly hold no copies in the process that starts them', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const deaf = programs('deaf', async () => parts, 1_500);
  const refused = Array.from({ length: 3 }, () => expect(deaf.run([])).rejects.toThrow(NotStarted));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  await Promise.all(refused);
});

test('the networks are made once', async () => {
  const [first, second] = [await textNetworks(), await textNetworks()];
  expect(first).toHaveLength(2);
  expect(first.every((network, index) => network === second[index])).toBe(true);
});
