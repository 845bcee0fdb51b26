import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Seen } from '#test/containers/kernel.ts';
import { reportOf } from '#test/containers/report.ts';
import { steps } from '#test/containers/steps/steps.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/containers.md'), 'utf8');

test('docs/containers.md is of a run of all steps as they are today, and names no place of a machine', () => {
  const told = [...page.matchAll(/^step \d+: (.+): ok, \d+\.\d s$/gm)].map(([, title]) => title);
  expect(told, 'npm run test:containers -- --report docs/containers.md').toEqual(
    steps.map(({ title }) => title),
  );
  expect(page).toContain(`${steps.length} passed, 0 failed`);
  expect(page).not.toMatch(/\/(?:tmp\/containers|work|home|root|builds?)\b[^ ]*\//);
});

test('the table of a page has a row for each look at a container, without what the head of the column says', () => {
  const seen: Seen = {
    ...{
      users: ['10001'],
      capabilities: ['0000000000000000'],
      noNewPrivileges: true,
      unfiltered: ['node, S (sleeping)'],
    },
    ...{ rootIsReadOnly: true, writable: ['/tmp', '/ledger'], readOnly: ['/etc/flags.yaml'] },
  };
  const rows = reportOf(
    ['step 1: ok'],
    [
      { when: 'deployed', container: 'worker_1', seen },
      {
        when: 'scaled',
        container: 'worker_2',
        seen: { ...seen, capabilities: ['0000000000000400'], readOnly: [] },
      },
    ],
  ).split('\n');
  expect(rows).toContain('step 1: ok');
  expect(rows).toContain(
    '| deployed | worker_1 | 10001 | none | no new privileges | all system calls | read-only | /ledger /tmp | /etc/flags.yaml |',
  );
  expect(rows).toContain(
    '| scaled | worker_2 | 10001 | 0000000000000400 | no new privileges | all system calls | read-only | /ledger /tmp |  |',
  );
});
