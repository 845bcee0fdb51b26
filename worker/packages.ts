import { createHash, hash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Compares the files of every installed package with the digests of package-digests.json: npm run packages. `npm start` does it first,
 * for the packages that the product uses, with `--omit=dev`. `--write` writes the digests anew; run it only right after `npm ci`, which
 * has compared what it installed with the hashes of package-lock.json. This program must not load any package.
 */

type Locked = { version: string; dev?: boolean; optional?: boolean; hasInstallScript?: boolean };

const { values } = parseArgs({
  options: {
    omit: { type: 'string' },
    write: { type: 'boolean' },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const { root } = values;
const digestsFile = join(root, 'worker/package-digests.json');
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const { packages }: { packages: Record<string, Locked> } = read(join(root, 'package-lock.json'));
const locked = Object.entries(packages).filter(([path]) => path !== '');

if (values.write === true) writeDigests();
else compare(locked.filter(([, { dev }]) => values.omit !== 'dev' || dev !== true));

function writeDigests(): void {
  const known: Record<string, string> = existsSync(digestsFile) ? read(digestsFile) : {};
  const digests = locked.flatMap(([path, each]) => {
    // The digest of a package for another platform stays if it is that of the same version.
    const digest = isInstalled(path) ? digestOf(path, each) : known[path];
    return digest?.startsWith(`${each.version} `) ? [[path, digest]] : [];
  });
  writeFileSync(digestsFile, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`);
}

function compare(wanted: typeof locked): void {
  const known: Record<string, string> = read(digestsFile);
  const faults = strangers(locked.map(([path]) => `${path}/node_modules`));
  // The product imports nothing that is not in package-lock.json, so what stands beside its packages takes the place of none.
  const beside = strangers(['node_modules']);
  const unknown: string[] = [];
  for (const [path, each] of wanted) {
    if (!isInstalled(path)) {
      if (each.optional !== true) faults.push(`${path} is missing`);
    } else if (known[path] === undefined) unknown.push(path);
    else if (known[path] !== digestOf(path, each)) faults.push(`${path} is not as it was published`);
  }
  if (unknown.length > 0)
    process.stderr.write(`Not compared, since their digests are unknown: ${unknown.join(', ')}\n`);
  if (beside.length > 0) process.stderr.write(`${beside.join('\n')}\n`);
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\nRun npm ci, and look for what has changed the files.\n`);
  process.exitCode = 69;
}

function isInstalled(path: string): boolean {
  return existsSync(join(root, path));
}

/** The version, and a SHA-256 over the names and the bytes of all files. */
function digestOf(path: string, { version, hasInstallScript }: Locked): string {
  const all = createHash('sha256');
  for (const { name, entry } of entriesIn(path)) {
    const file = join(root, path, name);
    if (entry.isFile()) all.update(`${name}\0${hash('sha256', readFileSync(file))}\n`);
    // No package is published with links. Some scripts make them when they install.
    else if (hasInstallScript !== true) all.update(`${name}\0${readlinkSync(file)}\n`);
  }
  return `${version} ${all.digest('hex')}`;
}

/** Whatever is in the folder and below, in a fixed order, without the packages that have an own folder inside of it. */
function* entriesIn(path: string, inside = ''): Generator<{ name: string; entry: Dirent }> {
  const entries = readdirSync(join(root, path, inside), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = inside + entry.name;
    if (!entry.isDirectory()) yield { name, entry };
    else if (name !== 'node_modules') yield* entriesIn(path, `${name}/`);
  }
}

/** Installed packages in these folders that package-lock.json does not have. Inside of a package they take the place of others. */
function strangers(homes: readonly string[]): string[] {
  const namesIn = (folder: string) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : [];
  return homes
    .flatMap(namesIn)
    .filter((path) => !path.split('/').at(-1)?.startsWith('.'))
    .flatMap((path) => (path.split('/').at(-1)?.startsWith('@') ? namesIn(path) : [path]))
    .filter((path) => packages[path] === undefined)
    .map((path) => `${path} is not in package-lock.json`);
}
