import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Every executable file of this name in a PATH, in the order of the PATH. */
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
