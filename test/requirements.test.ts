import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { requirements } from './requirements.ts';
import { cited, citedIn, promises } from './suites/promises.ts';

const folder = import.meta.dirname;

type Lists = { listed: string[]; cited: string[] };

/** Returns one line for each fault. The line names the id and says what is wrong with it. */
const faults = ({ listed, cited }: Lists): string[] => [
  ...twice(listed).map((id) => `${id} is listed twice`),
  ...cited.filter((id) => !listed.includes(id)).map((id) => `${id} is cited and is no requirement`),
  ...listed.filter((id) => !cited.includes(id)).map((id) => `${id} is cited by no test`),
];

const twice = (ids: string[]) => ids.filter((id, at) => ids.indexOf(id) !== at);

/** The ids are read from the text, since an object keeps only one of two equal keys. */
const listed = [...readFileSync(join(folder, 'requirements.ts'), 'utf8').matchAll(/^ {2}'(\d[^']*)':/gm)].map(
  ([, id = '']) => id,
);

test('every requirement is cited by a test', () => {
  expect(faults({ listed, cited: cited() })).toEqual([]);
});

test('every requirement that a test cites is cited by a test of the gate', () => {
  const only = promises().filter(({ gate, whole }) => gate.length === 0 && whole.length > 0);
  expect(only).toEqual([]);
});

test('every requirement that is exported was found in the text', () => {
  expect(listed).toEqual(requirements.map(({ id }) => id));
});

describe('the check bites', () => {
  const sound = { listed: ['1/a', '1/b'], cited: ['1/a', '1/b'] };

  test.each<[string, Partial<Lists>, string]>([
    ['an uncited id', { cited: ['1/a'] }, '1/b is cited by no test'],
    ['an id listed twice', { listed: ['1/a', '1/b', '1/a'] }, '1/a is listed twice'],
    ['an unknown id', { cited: ['1/a', '1/b', '1/z'] }, '1/z is cited and is no requirement'],
  ])('refuses %s', (_, change, fault) => {
    expect(faults(sound)).toEqual([]);
    expect(faults({ ...sound, ...change })).toEqual([expect.stringContaining(fault)]);
  });

  test('reads ids over several lines', () => {
    expect(citedIn("covers(\n  '1/a',\n  '4.1/b-c',\n);\ncovers('2/d');")).toEqual(['1/a', '4.1/b-c', '2/d']);
  });
});
