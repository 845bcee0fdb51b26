import { cpSync, existsSync, globSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { findTemporal } from '#worker/standalone/temporal/find.ts';
import { run } from './commands.ts';
import { basePackages, packFiles, withDependencies } from './debian-files.ts';
import type { Engine } from './engine.ts';

const recipes = join(import.meta.dirname, 'stand-ins');
const root = join(import.meta.dirname, '../..');

/**
 * Builds images under the names of the published ones that docker-compose.yml and the Dockerfile name. They are made of this
 * machine's Debian packages, of the Node of package-lock.json, and of Temporal's command line. If TEMPORAL_BUILT names a folder
 * with `server` and `sql`, built from Temporal's source, these take the place of the development server. Returns the names.
 */
export async function buildStandIns(engine: Engine): Promise<string[]> {
  const work = join(engine.folder, 'stand-ins');
  cpSync(recipes, work, { recursive: true });
  await packDebian(work);
  const built = process.env.TEMPORAL_BUILT;
  const node = realpathSync(join(root, 'node_modules/.bin/node'));
  for (const image of ['node', 'temporal-server', 'temporal-ui']) cpSync(node, join(work, image, 'node'));
  if (built === undefined) cpSync(await temporalProgram(), join(work, 'temporal-server/temporal'));
  else cpSync(join(built, 'server'), join(work, 'temporal-server-built/server'));
  if (built !== undefined) cpSync(join(built, 'sql'), join(work, 'temporal-admin-tools-built/sql'));
  cpSync(await folderOfNpm(), join(work, 'node/npm'), { recursive: true });

  const names = publishedNames();
  for (const [name, recipe] of names) {
    const more = recipe === 'debian' ? ['--tag', 'debian:stand-in'] : [];
    const programs = `PROGRAMS=${postgresPrograms()}`;
    await engine.podman(
      ...['build', '--quiet', '--pull=never', '--layers=false', '--tag', name, ...more],
      ...(recipe === 'postgres' ? ['--build-arg', programs] : []),
      join(work, recipe),
    );
  }
  rmSync(work, { recursive: true });
  return names.map(([name]) => name);
}

const temporalProgram = () => findTemporal({ cacheDir: defaultCacheDir(process.env), say: () => undefined });

async function packDebian(work: string): Promise<void> {
  const base = await basePackages();
  const pack = async (image: string, archive: string, packages: readonly string[]) => {
    const added = [...(await withDependencies(packages))].filter((name) => !base.has(name));
    const file = join(work, image, archive);
    await packFiles(image === 'debian' ? base : added, file, `${file}.list`);
  };
  const version = /(\d+)\/bin$/.exec(postgresPrograms())?.[1];
  const client = `postgresql-client-${version}`;
  await pack('debian', 'base.tar', []);
  for (const file of ['passwd', 'group'])
    cpSync(`/usr/share/base-passwd/${file}.master`, join(work, 'debian', file));
  await pack('postgres', 'postgres.tar', [`postgresql-${version}`, client]);
  await pack('redis', 'redis.tar', ['redis-server']);
  await pack('temporal-server', 'temporal.tar', [client, 'netcat-openbsd']);
  await pack('temporal-admin-tools', 'client.tar', [client]);
  for (const image of ['temporal-ui', 'temporal-server-built'])
    await pack(image, 'netcat.tar', ['netcat-openbsd']);
}

/** The folder of the newest Postgres of Debian. */
export const postgresPrograms = () =>
  globSync('/usr/lib/postgresql/*/bin').findLast((folder) => existsSync(join(folder, 'initdb'))) ?? '';

/** The npm that runs this, or the one on the PATH. */
async function folderOfNpm(): Promise<string> {
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js')) return dirname(dirname(realpathSync(running)));
  return join((await run('npm', ['root', '--global'])).trim(), 'npm');
}

/** The published images with the folder of the recipe that stands in for each. The base comes first. */
function publishedNames(): [name: string, recipe: string][] {
  const stages = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)(?: AS (\S+))?/gm)];
  const bases = stages.flatMap(([, base = '']) =>
    stages.some(([, , stage]) => stage === base) ? [] : [base],
  );
  const { services }: { services: Record<string, { image: string; build?: string }> } = parse(
    readFileSync(join(root, 'docker-compose.yml'), 'utf8'),
    { merge: true },
  );
  const others = Object.values(services).flatMap(({ image, build }) => (build === undefined ? [image] : []));
  return [...new Set([...bases.reverse(), ...others])].map((name) => [name, recipeOf(name)]);
}

function recipeOf(name: string): string {
  const recipe = name.replace(/:.*/, '').replace('temporalio/', 'temporal-');
  const built = `${recipe}-built`;
  if (process.env.TEMPORAL_BUILT !== undefined && existsSync(join(recipes, built))) return built;
  if (!existsSync(join(recipes, recipe))) throw new Error(`no recipe stands in for ${name}`);
  return recipe;
}
