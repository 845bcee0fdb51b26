import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './commands.ts';

/**
 * Builds the Dockerfile of the folder. During the build npm reads the same registry as on this machine, by settings that are
 * mounted, so that nothing of them is left in the image.
 */
export async function buildProduct(folder: string, name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const settings = mkdtempSync(join(env.TMPDIR ?? tmpdir(), 'npm-'));
  try {
    const mounts = await npmMounts(settings, env);
    await run(
      'podman',
      [
        ...['build', '--pull=never', '--network=host', '--tag', name],
        ...mounts.flatMap((mount) => ['--volume', mount]),
        folder,
      ],
      { env, timeoutMs: 3_600_000 },
    );
  } finally {
    rmSync(settings, { recursive: true });
  }
}

const cacheInside = '/npm-cache';

async function npmMounts(settings: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const setting = async (name: string) => {
    const value = (await run('npm', ['config', 'get', name], { env, cwd: '/' })).trim();
    return ['null', 'undefined', ''].includes(value) ? undefined : value;
  };
  const authority = (await setting('cafile')) ?? env.NODE_EXTRA_CA_CERTS;
  const [user, cache] = [await setting('userconfig'), await setting('cache')];
  const lines = [
    ...(user && existsSync(user) ? [readFileSync(user, 'utf8')] : []),
    `registry=${await setting('registry')}`,
    ...(authority ? [`cafile=${authority}`] : []),
    ...(cache && existsSync(cache) ? [`cache=${cacheInside}`] : []),
  ];
  const global = join(settings, 'npmrc');
  writeFileSync(global, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [
    `${global}:/usr/local/etc/npmrc:ro`,
    ...(authority && existsSync(authority) ? [`${authority}:${authority}:ro`] : []),
    ...(cache && existsSync(cache) ? [`${cache}:${cacheInside}`] : []),
  ];
}
