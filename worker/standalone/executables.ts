import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Returns the executable files of this name, in the order of `path`. */
export function executables(name: string, path: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => resolve(folder, name))
    .filter(isExecutableFile);
}

export function isExecutableFile(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
