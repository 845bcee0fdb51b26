import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key({ environment: 'live' });

/** Bodies of 60 MB that a parser of JSON takes gigabytes or minutes for. */
const bytes = 60_000_000;
const same = (piece: string) => `${`${piece},`.repeat(bytes / (piece.length + 1))}${piece}`;
const different = (piece: (n: number) => string) => {
  const pieces: string[] = [];
  for (let [n, size] = [0, 0]; size < bytes; n++) {
    pieces.push(piece(n));
    size += piece(n).length + 1;
  }
  return pieces.join(',');
};

test.each([
  ['lists in each other', () => `{"documents":${'['.repeat(20_000_000)}`],
  ['objects of the same kind', () => `[${same('{"a":1}')}]`],
  ['objects of different kinds', () => `[${different((n) => `{"${n}x":1}`)}]`],
  ['empty lists', () => `[${same('[]')}]`],
  ['numbers', () => `[${same('0')}]`],
  ['fields', () => `{${different((n) => `"${n}x":0`)}}`],
  ['short texts', () => `[${different((n) => `"${n}"`)}]`],
  ['backslashes', () => `["${'\\\\'.repeat(15_000_000)}"]`],
  ['quotes', () => `["${'\\"'.repeat(30_000_000)}"]`],
])('a large body of %s is 413 at once, and the API goes on', async (_, body) => {
  const rawBody = body();
  const startedMs = performance.now();
  const { status, json } = await call(harness, 'POST', '/v1/income-checks', { key, rawBody });
  expect([status, json.error.code]).toEqual([413, 'body_too_large']);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect((await call(harness, 'GET', '/v1/income-checks', { key })).status).toBe(200);
});
