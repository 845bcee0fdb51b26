import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The folder for downloaded programs, which all checkouts share. If CACHE_DIR is not set, it is a folder in the user's cache
 * folder.
 */
export function defaultCacheDir(env: Readonly<Record<string, string | undefined>>): string {
  if (env.CACHE_DIR) return resolve(env.CACHE_DIR);
  return join(env.XDG_CACHE_HOME || userCacheFolder(), 'verification-service');
}

const userCacheFolder = () => join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
