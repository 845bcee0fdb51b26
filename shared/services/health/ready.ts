import type { RedisState } from '#platform/rate-limits.ts';
import { ping } from '#store/connection.ts';
import type { Context } from '../context.ts';

export type Readiness = {
  ready: boolean;
  database: 'ok' | 'unreachable';
  temporal: 'ok' | 'unreachable';
  /**
   * Absent if no Redis is configured. Redis does not affect `ready`, because without Redis the rate limits are counted in memory.
   */
  redis?: RedisState;
};

export async function readiness(
  ctx: Pick<Context, 'store' | 'temporal'>,
  redis?: RedisState,
): Promise<Readiness> {
  const [database, temporal] = await Promise.all([reach(ping(ctx.store)), reach(ctx.temporal.ping())]);
  const ready = database === 'ok' && temporal === 'ok';
  return { ready, database, temporal, ...(redis !== undefined && { redis }) };
}

const reach = (call: Promise<unknown>) =>
  call.then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
