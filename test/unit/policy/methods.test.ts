import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environments, methods } from '#contract/enums.ts';
import { verificationMethods } from '#policy/methods/table.ts';

const root = join(import.meta.dirname, '../../..');

/** These files may contain the names of methods. All other code must read the row of a method. */
const rooms = [
  'shared/contract/enums.ts',
  'shared/policy/methods/*.ts',
  'api/{verify,console}/texts/*.ts',
  'api/rest/examples.ts',
];

const files = globSync('{api,workflows,activities,worker,shared}/**/*.{ts,js}', { cwd: root });
const isRoom = (file: string) => rooms.some((room) => matchesGlob(file, room));

/** The name of a method as a value or as a key. A name inside a longer text does not match. */
const nameInCode = new RegExp(
  `(['"])(${methods.join('|')})\\1|\\b(${methods.join('|')})\\s*\\??:|\\.(${methods.join('|')})\\b`,
);

const linesWithName = (source: string) => source.split('\n').filter((line) => nameInCode.test(line));

test.each([
  ["if (method === 'idin') return 'bank';", 1],
  ["const worth = { document_only: 'low', other: 1 };", 1],
  ['const text = texts.document_liveness(organisation);', 1],
  ['// The face comparison of `document_liveness` only indicates.', 0],
  ['const { sandbox } = verificationMethods[method];', 0],
])('in %s the name of a method is found %i times', (line, count) => {
  expect(linesWithName(line)).toHaveLength(count);
});

test('no code outside the rows and the texts names a method', () => {
  expect(files.length).toBeGreaterThan(200);
  const elsewhere = files
    .filter((file) => !isRoom(file))
    .flatMap((file) =>
      linesWithName(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
  expect(elsewhere).toEqual([]);
});

test.each(rooms)('%s is needed as a place for names', (room) => {
  const named = files.filter(
    (file) => matchesGlob(file, room) && linesWithName(readFileSync(join(root, file), 'utf8')).length > 0,
  );
  expect(named).not.toEqual([]);
});

describe.each(methods.flatMap((method) => environments.map((environment) => ({ method, environment }))))(
  '$method in $environment',
  ({ method, environment }) => {
    const { evidence, unavailable, nextStep, examiners } = verificationMethods[method];

    test('can be used, or says so on the page', () => {
      expect(evidence[environment].length === 0).toBe(unavailable[environment] !== undefined);
    });

    test('is complete once all its evidence was received', () => {
      if (unavailable[environment] === undefined) expect(nextStep(evidence[environment])).toBe('confirm');
      expect(nextStep([])).not.toBe('confirm');
    });

    test('has an examiner if it collects pictures in live', () => {
      const pictures = evidence.live.filter((kind) => kind !== 'bank');
      if (pictures.length > 0) expect(examiners).not.toEqual([]);
    });
  },
);
