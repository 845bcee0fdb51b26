import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChange } from '#test/support/changed-product.ts';
import { newerTimers } from '#test/support/newer-product.ts';
import { issueServerCertificate } from '#worker/standalone/certificates.ts';
import { run } from './commands.ts';

const root = join(import.meta.dirname, '../..');

export type VersionBefore = {
  /** What it is, for the log. */
  said: string;
  /** The migrations that this checkout has besides. */
  newMigrations: string[];
};

/**
 * Makes a repository in the folder `origin`, whose first commit is an older version of the product, and clones it to `deployment`. Also
 * prepares what an operator's shell finds beside it.
 */
export async function cloneVersionBefore(folder: string): Promise<VersionBefore> {
  const origin = join(folder, 'origin');
  for (const name of ['bin', 'backups', 'origin']) mkdirSync(join(folder, name));
  const docker = join(folder, 'bin/docker');
  const program = join(import.meta.dirname, 'docker.ts');
  writeFileSync(docker, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(docker, 0o755);
  await trustReceiver(folder);
  await git(origin, 'init', '--quiet');
  const said = await makeVersionBefore(origin);
  const newMigrations = migrationsIn(root).filter((name) => !migrationsIn(origin).includes(name));
  await git(origin, 'add', '--all', '--force');
  await git(origin, 'commit', '--quiet', '--message', 'before');
  await git(origin, 'clone', '--quiet', origin, join(folder, 'deployment'));
  return { said, newMigrations };
}

/**
 * The version before is the last one without the newest migration, so the upgrade runs that one. Before the first migration, which makes
 * the schema, there is none, and none in a checkout without its history, such as a shallow clone. Then it is this version with other
 * workflow code.
 */
async function makeVersionBefore(origin: string): Promise<string> {
  const newest = migrationsIn(root).slice(1).at(-1);
  const commit =
    newest === undefined ? undefined : await lastCommitBefore(`shared/store/migrations/${newest}.ts`);
  if (commit === undefined) {
    copyProduct(origin);
    for (const change of newerTimers) await applyChange(origin, change);
    return 'no older version is here, so the version before is this one with other workflow code';
  }
  const archive = `${origin}.tar`;
  const parts = partsOf(await git(root, 'show', `${commit}:.dockerignore`));
  await git(root, 'archive', '--output', archive, commit, ...parts);
  await run('tar', ['--extract', '--file', archive, '--directory', origin]);
  rmSync(archive);
  const day = (await git(root, 'show', '--no-patch', '--format=%cs', commit)).trim();
  return `the version before is that of ${day}, before migration ${newest}`;
}

async function lastCommitBefore(file: string): Promise<string | undefined> {
  try {
    const adding = await git(root, 'log', '--diff-filter=A', '--format=%H', '-1', '--', file);
    return (await git(root, 'rev-parse', '--verify', `${adding.trim()}^`)).trim();
  } catch {
    return undefined;
  }
}

const migrationsIn = (folder: string) =>
  readdirSync(join(folder, 'shared/store/migrations'))
    .filter((name) => /^\d{4}-.*\.ts$/.test(name))
    .sort()
    .map((name) => name.replace(/\.ts$/, ''));

/** Commits the code of this checkout to the repository, so that `git pull` fetches it. */
export async function releaseThisVersion(folder: string): Promise<void> {
  const origin = join(folder, 'origin');
  for (const part of partsOf(readFileSync(join(origin, '.dockerignore'), 'utf8')))
    rmSync(join(origin, part), { recursive: true });
  copyProduct(origin);
  await git(origin, 'add', '--all', '--force');
  await git(origin, 'commit', '--quiet', '--message', 'now');
}

const git = (cwd: string, ...words: string[]) =>
  run(
    'git',
    [
      ...['user.name=test', 'user.email=test@localhost', 'safe.directory=*'].flatMap((each) => ['-c', each]),
      ...words,
    ],
    { cwd },
  );

/** What the image is made of, and what builds and runs it. */
const partsOf = (dockerignore: string): string[] => [
  ...['.dockerignore', 'Dockerfile', 'docker-compose.yml', 'docs/operations'],
  ...[...dockerignore.matchAll(/^!(.+)$/gm)].map(([, name = '']) => name),
];

function copyProduct(target: string): void {
  for (const part of partsOf(readFileSync(join(root, '.dockerignore'), 'utf8')))
    cpSync(join(root, part), join(target, part), { recursive: true });
}

/**
 * The receiver of the test has a certificate of its own authority. The second compose file lets the workers trust it, as an
 * operator would.
 */
async function trustReceiver(folder: string): Promise<void> {
  await issueServerCertificate(join(folder, 'receiver'), ['localhost']);
  const authority = join(folder, 'receiver/listen-ca/ca.pem');
  writeFileSync(
    join(folder, 'receiver.yml'),
    JSON.stringify({
      services: {
        worker: {
          environment: { NODE_EXTRA_CA_CERTS: '/receiver.pem' },
          volumes: [`${authority}:/receiver.pem:ro`],
        },
      },
    }),
  );
}
