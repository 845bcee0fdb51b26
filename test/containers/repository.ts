import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyChange } from '#test/support/changed-product.ts';
import { newerTimers } from '#test/support/newer-product.ts';
import { issueServerCertificate } from '#worker/standalone/certificates.ts';
import { run } from './commands.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Makes a repository in the folder `origin`, whose first commit has other workflow code than this checkout, and clones it to
 * `deployment`. Also prepares what an operator's shell finds beside it.
 */
export async function cloneVersionBefore(folder: string): Promise<void> {
  const origin = join(folder, 'origin');
  for (const name of ['bin', 'backups', 'origin']) mkdirSync(join(folder, name));
  const docker = join(folder, 'bin/docker');
  const program = join(import.meta.dirname, 'docker.ts');
  writeFileSync(docker, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(docker, 0o755);
  await trustReceiver(folder);
  await git(origin, 'init', '--quiet');
  copyProduct(origin);
  for (const change of newerTimers) await applyChange(origin, change);
  await git(origin, 'add', '--all', '--force');
  await git(origin, 'commit', '--quiet', '--message', 'before');
  await git(origin, 'clone', '--quiet', origin, join(folder, 'deployment'));
}

/** Commits the code of this checkout to the repository, so that `git pull` fetches it. */
export async function releaseThisVersion(folder: string): Promise<void> {
  const origin = join(folder, 'origin');
  copyProduct(origin);
  await git(origin, 'commit', '--quiet', '--all', '--message', 'now');
}

const git = (cwd: string, ...words: string[]) =>
  run('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...words], { cwd });

/** What the image is made of, and what builds and runs it. */
function copyProduct(target: string): void {
  const letIn = readFileSync(join(root, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm);
  const files = [
    '.dockerignore',
    'Dockerfile',
    'docker-compose.yml',
    'docs/operations',
    ...[...letIn].map(([, name = '']) => name),
  ];
  for (const file of files) cpSync(join(root, file), join(target, file), { recursive: true });
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
