import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { changedProduct } from '#test/support/changed-product.ts';

test('a program starts although the libraries of the product are a link to another folder', async () => {
  const copy = await changedProduct([]);
  atTheEnd(() => rm(copy, { recursive: true }));
  const { startProgram } = await import(
    pathToFileURL(join(copy, 'shared/platform/isolated/program.ts')).href
  );
  const program = startProgram(
    { wrapper: [], namespaces: false },
    {
      file: pathToFileURL(join(copy, 'shared/platform/pictures/decoder.ts')),
      ...{ readyMs: 30_000, jobMs: 30_000, memoryBytesMax: 1_200_000_000, answerBytesMax: 10_000_000 },
    },
  );
  try {
    expect(await program.ready).toBe(true);
  } finally {
    await program.end();
  }
});
