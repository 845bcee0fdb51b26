import { condition } from '@temporalio/workflow';
import type { Recorded, VerificationRef } from '#contract/workflows.ts';
import { visitBanks } from './activities.ts';
import type { Inbox } from './inbox.ts';

export type Visits = ReturnType<typeof followVisits>;

/**
 * Asks the banks of a person what is due, beside the orders of the flow, until no visit waits for anything. Whether somebody comes back or
 * not, the rows say when to ask. What a bank said is in the row by then, so the run looks at its row.
 */
export function followVisits(ref: VerificationRef, inbox: Pick<Inbox, 'wake'>) {
  let isFollowing = false;
  let isWoken = false;

  const follow = async (): Promise<void> => {
    isFollowing = true;
    for (;;) {
      isWoken = false;
      const { waitMs } = await visitBanks(ref);
      if (waitMs === null) break;
      await condition(() => isWoken, waitMs, { summary: 'until the bank is asked again' });
    }
    isFollowing = false;
    inbox.wake();
  };

  return {
    /** True while a visit waits for something. */
    areFollowed: () => isFollowing,

    /** Asks now what is due, if a row says that a visit is not over. Otherwise what is under way ends. */
    follow({ bankDue }: Pick<Recorded, 'bankDue'>): void {
      isWoken = true;
      if (isFollowing || bankDue !== true) return;
      follow().catch(() => {
        isFollowing = false;
      });
    },
  };
}
