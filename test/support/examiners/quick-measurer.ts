import type { LivenessMeasurer } from '#activities/checks/port.ts';
import type { MeasuredFrame } from '#contract/movements.ts';

const seen: MeasuredFrame = {
  ...{ faces: 0, width: 0, x: 0, y: 0, turn: 0, lift: 0 },
  ...{ fromFirst: null, fromSelfie: null, repeated: false },
};

/** Opens no frame and sees no face at once, for tests of everything but the measuring of movements. */
export const quickMeasurer: LivenessMeasurer = {
  measure: async (_, frames) => frames.map(() => seen),
  close: async () => undefined,
};
