import type { DocumentReader } from '#activities/checks/port.ts';

/** A reader that examines nothing before `open`, so that a submission stays without a verdict. */
export function gatedReader(): { documents: DocumentReader; open: () => void } {
  const gate = Promise.withResolvers<void>();
  const documents: DocumentReader = {
    check: async () => {
      await gate.promise;
      return { checks: [], read: null };
    },
    close: async () => undefined,
  };
  return { documents, open: () => gate.resolve() };
}
