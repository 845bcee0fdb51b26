import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { exitCodes, StartFault } from '#platform/failures.ts';

/**
 * Creates DATA_DIR if it is missing, and returns its real path. Mode 0711 lets another user, such as that of Postgres, enter the
 * folder but not list it. A folder that is not empty keeps its mode, because it may belong to somebody else.
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
 * Creates a folder and its missing parents. Node's `recursive` option is not used. With that option, `mkdirSync` never returns if
 * the file system answers ENOENT for a folder whose parent exists, as /proc does.
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

/** Turns a file system error into a StartFault. Returns any other error unchanged. */
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
