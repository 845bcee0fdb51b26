import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IncomeReader } from '#activities/checks/port.ts';
import { type IncomePaper, paperLimits } from '#contract/income/papers.ts';
import { programsBelow } from '#test/integration/pictures/processes.ts';
import { incomeReader } from '#test/support/examiners/income-reader.ts';
import { bytesOf } from '#test/support/seed.ts';
import { hostile } from '#test/support/specimens/income/small/hostile.ts';
import { slipOf } from '#test/support/specimens/income/small/paper.ts';

let reader: IncomeReader;
beforeAll(async () => {
  reader = await incomeReader();
});
afterAll(() => reader.close());

const today = '2026-06-10';
const context = { today, wanted: null, linkedName: null, known: [] };
const judged = (facts: IncomePaper) => reader.judge([{ id: 'a', facts }], context);
const programs = () => programsBelow(process.pid, 'income/program.ts');

test('a paper is read in an isolated program, which ends', async () => {
  const { facts: paper } = await reader.read(await slipOf('two columns'));
  expect(paper).toMatchObject({
    readable: true,
    pages: [{ annotations: [] }],
    revisions: [],
    signatures: [],
  });
  expect((await judged(paper))?.result).toMatchObject({ netCents: 268_444 });
  await expect.poll(programs).toEqual([]);
});

test('a paper of an issuer that signs all of them is in doubt without a signature', async () => {
  const strict = await incomeReader([], {}, ['payslip']);
  const { facts } = await reader.read(await slipOf('two columns'));
  const found = await strict.judge([{ id: 'a', facts }], context);
  expect(found?.signals).toContainEqual(expect.objectContaining({ sign: 'signature_missing' }));
  await strict.close();
});

test('each page has a picture', async () => {
  const [picture, ...more] = (await reader.read(await slipOf('english'))).pages ?? [];
  expect([picture?.[0], more]).toEqual([0xff, []]);
});

test.each(Object.keys(hostile))(
  '%s ends a job with a fact, and nothing else',
  async (name) => {
    const { facts: paper } = await reader.read(hostile[name]?.() ?? Buffer.alloc(0));
    expect(paper).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await judged(paper))?.checks.some(({ result }) => result === 'doubt')).toBe(true);
    await expect.poll(programs).toEqual([]);
  },
  40_000,
);

test('truncated and changed files end with a fact each', async () => {
  const file = await slipOf('labels to the left');
  const changed = Array.from({ length: 40 }, (_, index) => {
    const copy = Buffer.from(file);
    const dice = bytesOf(`paper ${index}`, 64);
    if (index % 4 === 0) return copy.subarray(0, dice.readUInt32BE(0) % copy.length);
    for (let at = 0; at < 56; at += 7) copy[dice.readUInt32BE(at) % copy.length] = dice[at + 4] ?? 0;
    return copy;
  });
  for (const each of changed) {
    const { facts } = await reader.read(each);
    expect(await judged(facts)).toMatchObject({ documents: [{ id: 'a' }] });
  }
}, 300_000);

test('papers that take for ever to compare end without a judgement, and a person has to look', async () => {
  const small = await incomeReader([], { processorMs: 2_000 });
  const { facts: paper } = await reader.read(await slipOf('two columns'));
  const [page] = paper.readable ? paper.pages : [];
  const [word] = page?.words ?? [];
  if (!paper.readable || page === undefined || word === undefined) throw new Error('the slip was not read');
  const words = Array.from({ length: paperLimits.pageWordsMax }, () => ({ ...word, text: '1.234,56' }));
  const facts = { ...paper, pages: Array.from({ length: 5 }, () => ({ ...page, words })) };
  expect(await small.judge([{ id: 'a', facts }], context)).toBeUndefined();
  await small.close();
  await expect.poll(programs).toEqual([]);
});

test('a program that is late had to wait for a busy machine, so its file is read again', async () => {
  const late = await incomeReader([], { jobMs: 1 });
  await expect(late.read(await slipOf('english'))).rejects.toThrow('The paper could not be read');
  await late.close();
});

test('a program without memory reads nothing, and says so', async () => {
  const small = await incomeReader([], { memoryBytesMax: 640_000_000 });
  const read = await small.read(await slipOf('english')).catch((error: Error) => error.message);
  expect([{ readable: false, reason: 'too_complex' }, 'The paper could not be read']).toContainEqual(
    typeof read === 'string'
      ? read
      : { readable: read.facts.readable, ...('reason' in read.facts && { reason: read.facts.reason }) },
  );
  await small.close();
}, 60_000);

test('a paper that cannot be shown in time is read all the same', async () => {
  const file = await slipOf('english');
  const lazy = await incomeReader([], {
    file: new URL('./late-pictures.ts', import.meta.url),
    jobMs: 20_000,
  });
  expect(await lazy.read(file)).toMatchObject({ facts: { readable: true }, pages: undefined });
  await lazy.close();
});
