import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isFree, licenceFaults, licenceList, listFile } from '#test/supply-chain/licences.ts';
import { lockedPackages } from '#test/supply-chain/lockfile.ts';

test('whatever production installs has a free licence, and docs/licences.md lists it', () => {
  const packages = lockedPackages();
  expect(licenceFaults(packages)).toEqual([]);
  expect(readFileSync(listFile, 'utf8'), 'renew it by npm run licences -- --write').toBe(
    licenceList(packages),
  );
});

test.each([
  ['MIT', true],
  ['MIT OR GPL-3.0-only', true],
  ['(MIT AND Apache-2.0)', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
  [undefined, false],
])('%s is free: %s', (expression, free) => {
  expect(isFree(expression)).toBe(free);
});

test('a package of another licence, or of none, is named; one that only development installs is not', () => {
  const packages = [
    { name: 'good', license: 'MIT' },
    { name: 'copyleft', license: 'GPL-3.0-only' },
    { name: 'silent' },
    { name: '@img/sharp-libvips-linux-x64', license: 'LGPL-3.0-or-later' },
    { name: 'linked-in', license: 'LGPL-3.0-or-later' },
    { name: 'tool', license: 'MPL-2.0', dev: true },
  ];
  expect(licenceFaults(packages)).toEqual([
    'copyleft has the licence GPL-3.0-only',
    'silent has the licence of nobody knows what',
    'linked-in has the licence LGPL-3.0-or-later',
  ]);
});
