import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildAhead, digestOfSources, workflowBundle } from '#worker/bundle.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'built-ahead-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a worker takes the bundle that was built ahead, and builds one where there is none of this code', async () => {
  const [built, elsewhere] = [join(folder, 'built'), join(folder, 'elsewhere')];
  expect(await workflowBundle({ traced: false, folder: built })).toHaveProperty('code');
  const files = await buildAhead(built);
  for (const [n, traced] of [false, true].entries()) {
    expect(await workflowBundle({ traced, folder: built })).toEqual({ codePath: files[n] });
    const { code } = (await workflowBundle({ traced, folder: elsewhere })) as { code: string };
    expect(readFileSync(files[n] ?? '', 'utf8') === code).toBe(true);
  }
}, 60_000);

test.each([
  'workflows/delivery.ts',
  'shared/policy/retry-schedule.ts',
  'shared/contract/limits.ts',
  'package-lock.json',
])('another version of %s is another bundle', (changed) => {
  const copy = mkdtempSync(join(folder, 'version-'));
  for (const part of ['workflows', 'shared/contract', 'shared/policy', 'package-lock.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  expect(digestOfSources(copy)).toBe(digestOfSources(root));
  writeFileSync(join(copy, changed), `${readFileSync(join(copy, changed), 'utf8')}\n`);
  expect(digestOfSources(copy)).not.toBe(digestOfSources(root));
});
