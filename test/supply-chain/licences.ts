import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, lockedPackages, root } from './lockfile.ts';

/**
 * Checks the licences of the packages that production installs, and that docs/licences.md lists them. With --write this program
 * writes that list.
 */

export const freeLicences = [
  '0BSD',
  'Apache-2.0',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
];

/** Packages whose package.json names no licence or only the file, and the licence in their file LICENSE. */
const fromTheirFile: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream-Vera',
  'png-js': 'MIT',
  unionfs: 'Unlicense',
};

/** True for libvips in sharp's packages. It is a shared library in a file of its own, which an operator may replace. */
const replaceable = (name: string, licence: string) =>
  name.startsWith('@img/sharp-') && licence === 'LGPL-3.0-or-later';

const licenceOf = ({ name, license }: LockedPackage) => fromTheirFile[name] ?? license;

/** In `A OR B` one licence must be free. In `A AND B` both must be free. */
export function isFree(expression: string | undefined, name = ''): boolean {
  if (expression === undefined) return false;
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) =>
      choice.split(' AND ').every((licence) => freeLicences.includes(licence) || replaceable(name, licence)),
    );
}

/** Returns one line for each package of production whose licence is not free. */
export const licenceFaults = (packages: LockedPackage[]): string[] =>
  packages
    .filter((each) => !each.dev && !isFree(licenceOf(each), each.name))
    .map((each) => `${each.name} has the licence ${licenceOf(each) ?? 'of nobody knows what'}`);

export function licenceList(packages: LockedPackage[]): string {
  const byLicence = Map.groupBy(
    packages.filter(({ dev }) => !dev),
    (each) => licenceOf(each) ?? 'unknown',
  );
  const sections = [...byLicence].sort().map(([licence, found]) => {
    const names = [...new Set(found.map(({ name }) => name))].sort();
    return `## ${licence}\n\n${names.join(', ')}\n`;
  });
  return [
    '# Licences\n',
    'What `npm ci --omit=dev` may install, on any platform, by licence. Made from `package-lock.json` by',
    '`npm run licences -- --write`; a test keeps it current.\n',
    sections.join('\n'),
  ].join('\n');
}

export const listFile = join(root, 'docs/licences.md');

if (import.meta.main) {
  const packages = lockedPackages();
  const faults = licenceFaults(packages);
  if (process.argv.includes('--write')) writeFileSync(listFile, licenceList(packages));
  else if (readFileSync(listFile, 'utf8') !== licenceList(packages))
    faults.push('docs/licences.md is not current: npm run licences -- --write');
  for (const fault of faults) console.error(fault);
  console.log(`licences: ${packages.filter(({ dev }) => !dev).length} packages, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
