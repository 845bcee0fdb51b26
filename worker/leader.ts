import { newUuid } from '#platform/crypto/crypto.ts';
import type { Log } from '#platform/log.ts';
import { pauseUnless } from '#platform/pause.ts';
import type { Store } from '#store/database/connection.ts';
import { releaseLease, takeLease } from '#store/leases.ts';

const leaseName = 'sweep';

export type LeaderTimes = { leaseMs: number; renewEveryMs: number };
const usualTimes: LeaderTimes = { leaseMs: 30_000, renewEveryMs: 10_000 };

export type Leader = {
  /** True while this worker is the leader. */
  leads(): boolean;
  /** Ends the work, and lets another worker lead. */
  stop(): Promise<void>;
};

/**
 * Elects one worker among all workers of the database, and runs `work` there. The leader has a lease that it renews. If the leader
 * dies, hangs or cannot reach the database, its lease expires, and another worker leads within `leaseMs + renewEveryMs`. A leader
 * that hung may begin one further step before it notices. So every step of `work` must be harmless if two workers do it.
 *
 * The signal that `work` receives is aborted when this worker loses the lease or stops. `work` must then end soon.
 */
export function startLeader(
  { store }: { store: Pick<Store, 'db'> },
  log: Log,
  work: (signal: AbortSignal) => Promise<void>,
  { leaseMs, renewEveryMs }: LeaderTimes = usualTimes,
): Leader {
  const lease = { name: leaseName, holder: newUuid() };
  const stopping = new AbortController();
  let isLeader = false;
  let expiresAtMs = 0;

  const wait = () => pauseUnless(stopping.signal, renewEveryMs);

  /** If the database does not answer, the lease stays valid until it expires. */
  const holdsLease = async (): Promise<boolean> => {
    const askedAtMs = performance.now();
    try {
      const taken = await takeLease(store.db, { ...lease, ms: leaseMs });
      expiresAtMs = taken ? askedAtMs + leaseMs : 0;
    } catch (error) {
      log.debug({ err: error }, 'the lease of the sweep could not be taken or renewed');
    }
    return performance.now() < expiresAtMs;
  };

  const lead = async () => {
    const lost = new AbortController();
    const working = work(AbortSignal.any([stopping.signal, lost.signal]));
    isLeader = true;
    log.info('this worker leads: it sweeps for all workers');
    do await wait();
    while (!stopping.signal.aborted && (await holdsLease()));
    isLeader = false;
    lost.abort();
    await working;
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      const holds = await holdsLease();
      // It may have been told to stop meanwhile.
      if (holds && !stopping.signal.aborted) await lead();
      await wait();
    }
    await releaseLease(store.db, lease).catch(() => undefined);
  };
  const running = run();

  return {
    leads: () => isLeader,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
