import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder of downloaded programs, shared by all checkouts: CACHE_DIR, else a folder in the user's cache folder. */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  if (env.CACHE_DIR) return resolve(env.CACHE_DIR);
  return join(env.XDG_CACHE_HOME || userCacheFolder(), 'verification-service');
}

const userCacheFolder = () => join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
