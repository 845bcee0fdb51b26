import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

const onServers = {
  globalSetup: ['test/support/servers.ts'],
  // On a busy machine, an expected state can take many seconds to appear.
  expect: { poll: { timeout: 20_000 } },
  // This limit ends a test that hangs. The examination of a document takes seconds of processor time, and several times longer on a
  // busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Vitest runs projects with different `maxWorkers` one after the other, in the order of `groupOrder`. */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        test: {
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
          name: 'integration',
          include: ['integration', 'e2e', 'faults'].map((folder) => `test/${folder}/**/*.test.ts`),
          // These tests mostly wait, so three test files run at the same time even on two processors.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'large',
          include: ['test/large/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
