import { afterAll, vi } from 'vitest';
import { stopEverything } from './at-the-end.ts';
import { writePlanted } from './run-logs.ts';

/**
 * Vitest runs this before each test file. Test files share the modules of their process, and a module runs once, so a hook that a
 * module registered would belong to its first file alone.
 */
afterAll(async () => {
  try {
    await stopEverything();
  } finally {
    writePlanted();
    vi.restoreAllMocks();
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});
