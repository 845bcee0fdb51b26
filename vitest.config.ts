import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      { test: { name: 'unit', include: ['test/*.test.ts', 'test/unit/**/*.test.ts'] } },
      {
        test: {
          name: 'integration',
          include: ['integration', 'e2e', 'faults'].map((folder) => `test/${folder}/**/*.test.ts`),
          globalSetup: ['test/support/servers.ts'],
          testTimeout: 40_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
