import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'yaml';
import { run } from './commands.ts';
import { buildProduct } from './product-image.ts';

/**
 * The command `docker` of the test, with which the commands of docs/operations.md run as they stand there. `docker compose` is
 * Debian's docker-compose, an older version: it knows `-T` but not `--no-TTY`, and no `--wait`. Images are built by podman, so that
 * npm's settings can be mounted. Everything else is podman.
 */
const [first, ...rest] = process.argv.slice(2);
process.exit(first === 'compose' ? await compose(rest) : pass('podman', process.argv.slice(2)));

async function compose([word = '', ...words]: string[]): Promise<number> {
  if (word === 'build' || words.includes('--build')) await buildOurs();
  if (word === 'build') return 0;
  const known = words.filter((each) => !['--build', '--wait', '--no-TTY'].includes(each));
  // Without a terminal, newer versions choose this by themselves.
  const noTerminal = ['exec', 'run'].includes(word) ? ['-T'] : [];
  const status = pass('docker-compose', [word, ...noTerminal, ...known]);
  if (status !== 0 || !words.includes('--wait')) return status;
  return (await areHealthy(known.filter((each) => !each.startsWith('-')))) ? 0 : 1;
}

function pass(command: string, words: string[]): number {
  const { status, signal, error } = spawnSync(command, words, { stdio: 'inherit' });
  if (status === null) process.stderr.write(`${command} ended with ${signal ?? error}\n`);
  return status ?? 1;
}

async function buildOurs(): Promise<void> {
  const { services }: { services: Record<string, { image: string; build?: unknown }> } = parse(
    await run('docker-compose', ['config']),
  );
  const images = Object.values(services).flatMap(({ image, build }) => (build === undefined ? [] : [image]));
  for (const image of new Set(images)) await buildProduct(process.cwd(), image, process.env);
}

async function areHealthy(services: string[]): Promise<boolean> {
  const ids = (await run('docker-compose', ['ps', '-q', ...services])).trim().split('\n');
  for (const until = Date.now() + 600_000; Date.now() < until; await pause(500)) {
    const states = await run('podman', ['inspect', '--format', '{{.State.Health.Status}}', ...ids]);
    if (
      states
        .trim()
        .split('\n')
        .every((state) => state === 'healthy')
    )
      return true;
  }
  return false;
}
