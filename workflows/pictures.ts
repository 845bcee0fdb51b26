import type { Recorded, VerificationRef } from '#contract/workflows.ts';
import { examinationsAheadMax } from '#policy/advice.ts';
import { examineAhead, lookAtPictures } from './activities.ts';

/**
 * What happens to pictures before Send, beside the orders of the flow: no order waits for it, and it changes no state of the flow. If
 * something fails, the person goes on without advice, and the document is examined after Send.
 */
export function followPictures(ref: VerificationRef) {
  let isLooking = false;
  let cameMeanwhile = false;
  let begun = 0;
  let ahead: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    isLooking = true;
    do {
      cameMeanwhile = false;
      const report = await lookAtPictures(ref).catch(() => undefined);
      if (report?.accepted) examine();
    } while (cameMeanwhile);
    isLooking = false;
  };

  /** The row knows whether just these pictures were examined already. */
  const examine = (): void => {
    if (begun >= examinationsAheadMax) return;
    begun += 1;
    ahead = ahead.then(() => examineAhead(ref)).catch(() => undefined);
  };

  return {
    /** Has pictures looked at that the row says were not looked at yet. */
    follow({ picturesDue }: Pick<Recorded, 'picturesDue'>): void {
      if (picturesDue !== true) return;
      if (isLooking) cameMeanwhile = true;
      else void look();
    },

    /** Resolves when no document is being examined before Send any more. A second examination of it would only take longer. */
    examined: (): Promise<void> => ahead,
  };
}

export type Pictures = ReturnType<typeof followPictures>;
