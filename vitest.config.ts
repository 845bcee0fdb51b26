import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/suites/order.ts';
import { browserWalk, slow } from './test/suites/slow.ts';
import { ClosingLine } from './test/support/closing-line.ts';

const shared = {
  setupFiles: ['test/support/each-file.ts'],
};

/** The product and its libraries take seconds to load, so the test files of a process share them. */
const sharedModules = { isolate: false };

const onServers = {
  ...shared,
  globalSetup: ['test/support/servers.ts'],
  // On a busy machine, an expected state can take many seconds to appear.
  expect: { poll: { timeout: 20_000 } },
  // This limit ends a test that hangs. The examination of a document takes seconds of processor time, and several times longer on a
  // busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** The files of these tests, those of the gate and the slow ones. */
const onServersFiles = ['integration', 'e2e', 'faults'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Vitest runs projects with different `maxWorkers` one after the other, in the order of `groupOrder`. */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          ...sharedModules,
          name: 'unit',
          include: ['test/*.test.ts', 'test/unit/**/*.test.ts'],
          // With two processors, the default is one worker, so one processor would be idle.
          maxWorkers: '100%',
          // Some unit tests bundle the workflows. That takes a few seconds, and longer on a busy machine.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onServers,
          ...sharedModules,
          name: 'integration',
          include: [...onServersFiles, browserWalk],
          exclude: Object.keys(slow),
          // These tests mostly wait, so three test files run at the same time even on two processors.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'slow',
          include: Object.keys(slow).filter((file) => !/^test\/(browser|large)\//.test(file)),
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'browser',
          include: ['test/browser/*.test.ts', 'test/browser/{camera,hosted,members}/*.test.ts'],
          exclude: [browserWalk],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'large',
          include: ['test/large/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
