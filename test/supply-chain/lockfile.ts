import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The fields of an entry of package-lock.json that these checks read. */
export type LockedPackage = {
  name: string;
  version?: string;
  license?: string;
  integrity?: string;
  resolved?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
};

const innermost = (path: string) => path.split('node_modules/').at(-1) ?? path;

/** Returns every package that `npm ci` could install on any platform. */
export function lockedPackages(file = 'package-lock.json'): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, name: entry.name ?? innermost(path) }));
}
