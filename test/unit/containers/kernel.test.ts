import { expect, test } from 'vitest';
import { faultsOf, type Seen } from '#test/containers/kernel.ts';

/** What `npm run test:containers` finds wrong in what the kernel shows of a container. */

const promised = {
  image: 'service:1',
  restart: 'unless-stopped',
  read_only: true,
  tmpfs: ['/tmp', '/var/run/postgresql'],
  volumes: ['ledger:/ledger', './flags.json:/etc/flags.yaml:ro'],
};
const ofImage = ['/data'];
const writable = ['/data', '/ledger', '/run', '/run/postgresql', '/tmp', '/var/tmp'];
const seen: Seen = {
  users: ['10001'],
  capabilities: ['0000000000000000'],
  noNewPrivileges: true,
  unfiltered: [],
  rootIsReadOnly: true,
  writable: writable.toReversed(),
  readOnly: ['/etc/flags.yaml'],
};

test('a container that is as the compose file promises has no fault', () => {
  expect(faultsOf(promised, ofImage, seen)).toEqual([]);
});

test('a root that the file leaves writable has no temporary file systems of the engine', () => {
  const open = { ...promised, read_only: false };
  const without = writable.filter((at) => !['/run', '/var/tmp'].includes(at));
  expect(faultsOf(open, ofImage, { ...seen, rootIsReadOnly: false, writable: without })).toEqual([]);
});

const paths = (list: string[]) => list.join(' ');

test.each<[string, Partial<Seen>, string]>([
  ['a process that is root', { users: ['10001', '0'] }, 'a process is root'],
  ['a process that can become root again', { users: ['10001/0'] }, 'a process is root'],
  [
    'one capability in one set',
    { capabilities: ['0000000000000000', '0000000000000400'] },
    'a process has capabilities',
  ],
  ['new privileges', { noNewPrivileges: false }, 'a process may get new privileges'],
  [
    'all system calls',
    { unfiltered: ['node, S (sleeping)'] },
    'without a filter of system calls: node, S (sleeping)',
  ],
  ['a writable root', { rootIsReadOnly: false }, 'the root is not as promised'],
  [
    'a mount more that can be written',
    { writable: [...writable, '/etc/flags.yaml'] },
    `writable are ${paths([...writable, '/etc/flags.yaml'])}, not ${paths(writable)}`,
  ],
  [
    'a volume that is missing',
    { writable: writable.filter((at) => at !== '/ledger') },
    `writable are ${paths(writable.filter((at) => at !== '/ledger'))}, not ${paths(writable)}`,
  ],
])('%s is a fault', (_, different, fault) => {
  expect(faultsOf(promised, ofImage, { ...seen, ...different })).toEqual([fault]);
});
