import type { Context } from '../context.ts';

/**
 * Tells the run of a verification, if there is one, that its row has changed. The row alone counts. So a run that does not hear of it
 * changes nothing; it ends when its old link expires.
 */
export const wakeRun = ({ temporal }: Pick<Context, 'temporal'>, verificationId: string): Promise<void> =>
  temporal.wakeVerification(verificationId).catch(() => undefined);
