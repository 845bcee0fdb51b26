import type { RedisState } from '#platform/rate-limits.ts';
import { ping } from '#store/connection.ts';
import type { Context } from '../context.ts';

export type Readiness = {
  ready: boolean;
  database: 'ok' | 'unreachable';
  temporal: 'ok' | 'unreachable';
  /** Only where one is configured. Without it limits are counted in memory, so it does not make a process unready. */
  redis?: RedisState;
};

/** Whether this process can do its work: does each server that it depends on answer? */
export async function readiness({ store, engine }: Context, redis?: RedisState): Promise<Readiness> {
  const [database, temporal] = await Promise.all([reach(ping(store)), reach(engine.ping())]);
  const ready = database === 'ok' && temporal === 'ok';
  return { ready, database, temporal, ...(redis !== undefined && { redis }) };
}

const reach = (call: Promise<unknown>) =>
  call.then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
