import { ping } from '#store/unscoped.ts';
import type { Context } from '../context.ts';

export type Readiness = { ready: boolean; database: 'ok' | 'unreachable'; temporal: 'ok' | 'unreachable' };

/** Whether this process can do its work: does each server that it depends on answer? */
export async function readiness({ store, engine }: Context): Promise<Readiness> {
  const [database, temporal] = await Promise.all([reach(ping(store.db)), reach(engine.ping())]);
  return { ready: database === 'ok' && temporal === 'ok', database, temporal };
}

const reach = (call: Promise<unknown>) =>
  call.then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
