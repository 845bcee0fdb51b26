import { lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run } from './commands.ts';

/** What every image of Debian has. Apt is there too, with libstdc++, which Node needs. */
export async function basePackages(): Promise<Set<string>> {
  const listed = await query('Package', 'Essential', 'Priority');
  const lines = listed
    .trim()
    .split('\n')
    .map((line) => line.split('|'));
  const needed = lines.filter(([, essential, priority]) => essential === 'yes' || priority === 'required');
  return withDependencies(['apt', ...needed.map(([name = '']) => name)]);
}

/** Returns a line for each package that dpkg knows, with these fields between bars. */
const query = (...fields: string[]) =>
  run('dpkg-query', ['--show', '--showformat', `${fields.map((field) => `\${${field}}`).join('|')}\\n`]);

/** Returns the installed packages among these and all that they depend on. */
export async function withDependencies(names: readonly string[]): Promise<Set<string>> {
  const listed = await query('Package', 'Status', 'Depends', 'Pre-Depends');
  const installed = new Map<string, string[]>();
  for (const line of listed.split('\n')) {
    const [name = '', status, ...rest] = line.split('|');
    if (!status?.endsWith(' installed')) continue;
    const needs = rest.join('|').split(/[,|]/);
    installed.set(
      name,
      needs.map((need) => need.replace(/\(.*\)|:\w+/g, '').trim()),
    );
  }
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || !installed.has(name)) continue;
    found.add(name);
    open.push(...(installed.get(name) ?? []));
  }
  return found;
}

/** Documentation, which the published images leave out too. */
const leftOut = /^\/usr\/share\/(doc|man|locale|info|lintian)\//;

/** Packs the files of installed packages, as they are on this machine. */
export async function packFiles(
  packages: Iterable<string>,
  tarFile: string,
  listFile: string,
): Promise<void> {
  const listed = await run('dpkg', ['--listfiles', ...packages]);
  const files = new Set<string>();
  for (const file of listed.split('\n')) {
    if (!file.startsWith('/') || file === '/.' || leftOut.test(file)) continue;
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) continue;
    // A package may still call a file /bin/sh, although /bin is a link. In an archive the folder must be the real one.
    files.add(join(realpathSync(dirname(file)), basename(file)).slice(1));
  }
  writeFileSync(listFile, [...files].sort().join('\n'));
  await run('tar', ['--no-recursion', '-cf', tarFile, '-C', '/', '-T', listFile]);
}
