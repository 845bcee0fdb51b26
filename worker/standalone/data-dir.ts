import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exitCodes, StartFault } from '#platform/failures.ts';

/**
 * Makes DATA_DIR when it is missing and returns its real path. Mode 0711: another user, such as the one that runs Postgres,
 * may pass through but not look around. A folder that already holds something keeps its mode: it may be anybody's.
 */
export function prepareDataDir(dataDir: string): string {
  try {
    makeFolder(dataDir);
    if (readdirSync(dataDir).length === 0) chmodSync(dataDir, 0o711);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
}

/**
 * Makes a folder and those above it that are missing. Not with Node's `recursive`, which never returns where the file system
 * answers ENOENT for a folder whose parent exists, as /proc does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o711 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(resolve(folder));
    if (code === 'ENOENT' && !existsSync(parent)) {
      makeFolder(parent);
      makeFolder(folder);
    } else if (code !== 'EEXIST') throw error;
  }
}

/** A file-system error as one plain line; errors of any other kind stay what they are. */
export function cannotCreate(path: string, variable: 'DATA_DIR' | 'CACHE_DIR', error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const reason = reasons[code];
  if (reason === undefined) return error;
  return new StartFault(`${path} ${reason}, or choose another ${variable}.`, exitCodes.cannotCreate);
}

const reasons: Record<string, string> = {
  ENOTDIR: 'is a file or lies below one, so it cannot be a directory: move that file away',
  ENOENT: 'cannot be created: check the path',
  EACCES: 'cannot be read and written by this user: change its owner',
  EPERM: 'cannot be changed by this user: change its owner',
  EROFS: 'is on a read-only file system: make it writable',
  ENOSPC: 'is on a full disk: free some space',
  EDQUOT: 'is beyond the disk quota of this user: free some space',
};
