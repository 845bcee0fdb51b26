/** The columns of an endpoint that say it. */
type Pause = { pausedAt: Date | null; pausedBy: 'operator' | 'both' | null };

/** Whether an endpoint is paused, and by whom. */
export type Paused = { byMember: boolean; byOperator: boolean };

/** By whom the row of an endpoint says that it is paused. */
export const pausedIn = ({ pausedAt, pausedBy }: Pause): Paused => ({
  byMember: pausedAt !== null && pausedBy !== 'operator',
  byOperator: pausedAt !== null && pausedBy !== null,
});

/** What the row of an endpoint says that was paused at `at`. */
export function pauseOf({ byMember, byOperator }: Paused, at: Date): Pause {
  if (!byMember && !byOperator) return { pausedAt: null, pausedBy: null };
  return { pausedAt: at, pausedBy: byOperator ? (byMember ? 'both' : 'operator') : null };
}
