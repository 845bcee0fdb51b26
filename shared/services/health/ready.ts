import { isClockOff } from '#platform/clock.ts';
import type { RedisState } from '#platform/limits/rate-limits.ts';
import { takesWrites } from '#store/database/connection.ts';
import type { Context } from '../context.ts';

export type Readiness = {
  ready: boolean;
  /** `read_only` if the address leads to a standby, which refuses every write. */
  database: 'ok' | 'read_only' | 'unreachable';
  temporal: 'ok' | 'unreachable';
  /**
   * Absent if no Redis is configured. Redis does not affect `ready`, because without Redis the rate limits are counted in memory.
   */
  redis?: RedisState;
  /**
   * Absent if the clock of this machine is right to two seconds. A wrong clock does not affect `ready`, because the clock of the
   * database is used.
   */
  clock?: string;
};

export async function readiness(
  ctx: Pick<Context, 'store' | 'temporal' | 'clock'>,
  redis?: RedisState,
): Promise<Readiness> {
  const [database, temporal] = await Promise.all([databaseState(ctx), reach(ctx.temporal.ping())]);
  const ready = database === 'ok' && temporal === 'ok';
  const clock = clockFault(ctx.clock.offsetMs());
  return {
    ...{ ready, database, temporal },
    ...(redis !== undefined && { redis }),
    ...(clock !== undefined && { clock }),
  };
}

function clockFault(offsetMs: number): string | undefined {
  if (!isClockOff(offsetMs)) return undefined;
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  return `${seconds} s ${offsetMs > 0 ? 'ahead of' : 'behind'} the database`;
}

const databaseState = ({ store }: Pick<Context, 'store'>) =>
  takesWrites(store).then(
    (takes) => (takes ? ('ok' as const) : ('read_only' as const)),
    () => 'unreachable' as const,
  );

const reach = (call: Promise<unknown>) =>
  call.then(
    () => 'ok' as const,
    () => 'unreachable' as const,
  );
