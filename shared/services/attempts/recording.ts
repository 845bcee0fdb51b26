import type { Recorded } from '#contract/workflows.ts';
import type { Db, Store } from '#store/database/connection.ts';
import type { ClaimFirst } from './first-attempts.ts';

/** Without `claimFirst`, the workflows of the deliveries make their first attempts. */
export type RecordingContext = { store: Pick<Store, 'transaction'>; claimFirst?: ClaimFirst };

/** A transaction that records a change. It ends with the claims of the first attempts of the deliveries that it leaves open. */
export const recording = <State extends Recorded | undefined>(
  { store, claimFirst }: RecordingContext,
  record: (tx: Db) => Promise<State>,
): Promise<State> =>
  store.transaction(async (tx) => {
    const recorded = await record(tx);
    if (recorded !== undefined) await claimFirst?.(tx, recorded.deliveryIds);
    return recorded;
  });
