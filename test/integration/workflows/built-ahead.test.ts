import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildAhead, buildIdOf, workflowBuild } from '#worker/bundle.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'built-ahead-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a worker takes the bundle that was built ahead, and builds one where there is none of this code', async () => {
  const [built, elsewhere] = [join(folder, 'built'), join(folder, 'elsewhere')];
  const buildId = buildIdOf(root);
  expect((await workflowBuild({ traced: false, folder: built })).bundle).toHaveProperty('code');
  const files = await buildAhead(built);
  for (const [n, traced] of [false, true].entries()) {
    expect(await workflowBuild({ traced, folder: built })).toEqual({
      buildId,
      bundle: { codePath: files[n] },
    });
    const { bundle, ...made } = await workflowBuild({ traced, folder: elsewhere });
    expect(made).toEqual({ buildId });
    expect(readFileSync(files[n] ?? '', 'utf8') === (bundle as { code: string }).code).toBe(true);
  }
}, 60_000);

/** The id of the build of a copy in which these files were changed. */
function idWith(change: (text: string) => string, ...files: string[]): string {
  const copy = mkdtempSync(join(folder, 'version-'));
  for (const part of ['workflows', 'shared', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const file of files) writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')));
  return buildIdOf(copy);
}

const oneLineMore = (text: string) => `${text}\n`;

test.each(['workflows/delivery.ts', 'shared/policy/retry-schedule.ts', 'shared/contract/workflows.ts'])(
  'with another version of %s it is another build',
  (changed) => {
    expect(idWith(oneLineMore)).toBe(buildIdOf(root));
    expect(idWith(oneLineMore, changed)).not.toBe(buildIdOf(root));
  },
);

test('it is another build with another version of the SDK, and the same build with other packages', () => {
  const withVersionOf = (name: string) => (lock: string) => {
    const { packages } = JSON.parse(lock);
    packages[name].version = '999.0.0';
    return JSON.stringify({ packages });
  };
  expect(idWith(withVersionOf('node_modules/@temporalio/workflow'), 'package-lock.json')).not.toBe(
    buildIdOf(root),
  );
  expect(idWith(withVersionOf('node_modules/koa'), 'package-lock.json')).toBe(buildIdOf(root));
});

test('a version of the product that changes no workflow code is the same build', () => {
  const others = ['package.json', 'shared/contract/errors.ts', 'shared/services/attempts/attempt.ts'];
  expect(idWith(oneLineMore, ...others)).toBe(buildIdOf(root));
});
