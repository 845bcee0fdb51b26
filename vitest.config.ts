import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

const onServers = {
  globalSetup: ['test/support/servers.ts'],
  // What is asked for until it is so may take as long as a busy machine needs.
  expect: { poll: { timeout: 20_000 } },
  // A cap for a test that hangs. Documents take seconds of processor time each, several times that on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Vitest runs projects of unlike maxWorkers only one after the other, in the order of their groups. */
export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/*.test.ts', 'test/unit/**/*.test.ts'],
          // On two processors the default would be one worker, and the other would be idle.
          maxWorkers: '100%',
          // Some bundle the workflows, which takes a few seconds and more on a busy machine.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...onServers,
          name: 'integration',
          include: ['integration', 'e2e', 'faults'].map((folder) => `test/${folder}/**/*.test.ts`),
          // Most of their time is waiting, so more files than processors run at once.
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
