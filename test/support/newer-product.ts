import type { Change } from './changed-product.ts';

/** Changes that make newer builds of the workflows. Each issues a command that the build of this repository does not issue. */

const verification = 'workflows/verification.ts';
const afterFirstStep = '  for (;;) {';

/**
 * A timer before the others. Temporal does not compare the waits of timers, so without our own check an old run would fit, and take
 * the timer until its link expires for this one.
 */
export const newerTimers: readonly Change[] = [
  { file: verification, from: 'import { allHandlersFinished,', to: 'import { allHandlersFinished, sleep,' },
  { file: verification, from: afterFirstStep, to: `  await sleep(1);\n${afterFirstStep}` },
  { file: 'workflows/delivery.ts', from: 'import { condition,', to: 'import { condition, sleep,' },
  {
    file: 'workflows/delivery.ts',
    from: '    const report = await attemptDelivery',
    to: '    await sleep(1);\n    const report = await attemptDelivery',
  },
];

/** An activity that the activities of this repository do not have. */
export const newerActivity: readonly Change[] = [
  {
    file: verification,
    from: 'import { allHandlersFinished,',
    to: 'import { allHandlersFinished, proxyActivities,',
  },
  {
    file: verification,
    from: afterFirstStep,
    to: `  await proxyActivities({ startToCloseTimeout: '10s' }).noteProgress?.();\n${afterFirstStep}`,
  },
];

/** The worker's side of `newerActivity`. */
export const activityOfNewer: Change = {
  file: 'activities/index.ts',
  from: '  purgeExpired:',
  to: '  noteProgress: async () => undefined,\n  purgeExpired:',
};
