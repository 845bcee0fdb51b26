import type { DocumentReader } from '#activities/checks/port.ts';

/** A reader that examines nothing, so that a test which is not about checks does not wait for them. */
export const noChecks: DocumentReader = {
  check: async () => ({ checks: [], read: null }),
  close: async () => undefined,
};
