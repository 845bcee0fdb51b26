import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
} from 'rate-limiter-flexible';
import { limits } from '#contract/limits.ts';
import type { Log } from './log.ts';

/** Where a bucket stands in its window: what the X-RateLimit headers say. */
export type RateWindow = { limit: number; remaining: number };

export type Counted = RateWindow & {
  /** This request is beyond the limit. */
  exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  retryAfterSeconds: number;
};

export type RedisState = 'ok' | 'unreachable';
export type BreakerState = 'closed' | 'open';

/** Requests in fixed windows, a bucket for whatever has a limit (specification 8; decision 20). It never fails its caller. */
export type RateLimits = {
  count(bucket: string, limit: number): Promise<Counted>;
  /** Counts nothing. */
  peek(bucket: string, limit: number): Promise<RateWindow>;
  /** Whether counters are shared through Redis right now; undefined where none is configured. */
  redis(): RedisState | undefined;
  /** Open: after failures in a row Redis is not asked for a while. Undefined where none is configured. */
  breaker(): BreakerState | undefined;
  stop(): void;
};

type Options = {
  redisUrl: string | undefined;
  log: Log;
  windowSeconds?: number;
  /** How long a request waits for Redis at most. */
  redisTimeoutMs?: number;
};

type Limiter = Pick<RateLimiterAbstract, 'consume' | 'get'>;
/** Asks a limiter that can fail, or one in memory in its place. */
type Insured = <Answer>(ask: (limiter: Limiter) => Promise<Answer>) => Promise<Answer>;

const exhaustedMax = 10_000;

/** Counters in Redis, shared by every process that names it; in the memory of this process without one, and while it is away. */
export async function createRateLimits({
  redisUrl,
  log,
  windowSeconds = limits.rateLimitWindowSeconds,
  redisTimeoutMs = 100,
}: Options): Promise<RateLimits> {
  // Limiters only count: what is too much is judged here, so that one of them serves every limit.
  const settings = {
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: 'verification-service:rate-limit',
  };
  const memory = new RateLimiterMemory(settings);
  const redis =
    redisUrl === undefined ? undefined : await insuredRedis(redisUrl, redisTimeoutMs, settings, memory, log);
  const insured: Insured = redis?.insured ?? ((ask) => ask(memory));
  // Until its window ends, by the limiters' own clock, a bucket that is used up is refused without asking anybody.
  const exhausted = new LRUCache<string, true>({ max: exhaustedMax, perf: Date });

  return {
    async count(bucket, limit) {
      const name = `${bucket} of ${limit}`;
      const waitMs = exhausted.getRemainingTTL(name);
      if (waitMs > 0) return counted(limit, limit + 1, waitMs);
      const { consumedPoints, msBeforeNext } = await insured((limiter) => limiter.consume(bucket));
      if (consumedPoints >= limit) exhausted.set(name, true, { ttl: Math.max(msBeforeNext, 1) });
      return counted(limit, consumedPoints, msBeforeNext);
    },
    async peek(bucket, limit) {
      const found = await insured((limiter) => limiter.get(bucket));
      return windowOf(limit, found?.consumedPoints ?? 0);
    },
    redis: () => redis?.state(),
    breaker: () => redis?.breaker(),
    stop: () => redis?.stop(),
  };
}

const windowOf = (limit: number, used: number): RateWindow => ({
  limit,
  remaining: Math.max(limit - used, 0),
});

const counted = (limit: number, used: number, waitMs: number): Counted => ({
  ...windowOf(limit, used),
  exceeded: used > limit,
  retryAfterSeconds: Math.max(Math.ceil(waitMs / 1_000), 1),
});

const connectTimeoutMs = 1_000;
/** A server that takes commands and answers none for this long is connected to anew. */
const silenceMs = 2_000;
const reconnectMsMax = 2_000;
const failuresToOpen = 3;
const openMs = 5_000;

/** A Redis that may be away, hang, or refuse us at any time, the start included: it is waited for briefly and never needed. */
async function insuredRedis(
  url: string,
  commandTimeout: number,
  settings: IRateLimiterOptions,
  memory: Limiter,
  log: Log,
) {
  const client = new Redis(url, {
    commandTimeout,
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
    enableOfflineQueue: false,
    // A command is never sent twice: it would count twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, reconnectMsMax),
  });
  const limiter = new RateLimiterRedis({ ...settings, storeClient: client, rejectIfRedisNotReady: true });
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: openMs,
  });

  let lastError: unknown;
  client.on('error', (error) => {
    lastError = error;
  });
  breaker.onFailure(({ reason }) => {
    if ('error' in reason) lastError = reason.error;
  });

  const state = (): RedisState =>
    client.status === 'ready' && breaker.state === CircuitState.Closed ? 'ok' : 'unreachable';
  let reported: RedisState = 'ok';
  const report = () => {
    if (state() === reported) return;
    reported = state();
    if (reported === 'ok') log.info('rate limits are counted in Redis again');
    else log.warn({ reason: reasonOf(lastError) }, awayMessage);
    lastError = undefined;
  };
  client.on('ready', report).on('close', report);
  breaker.onStateChange(report);
  await readyOrLate(client);
  report();

  const insured: Insured = async (ask) => {
    // One request finds out whether Redis is back; the others do not wait for it.
    if (breaker.state === CircuitState.HalfOpen) return ask(memory);
    try {
      return await breaker.execute(() => ask(limiter));
    } catch {
      return ask(memory);
    }
  };
  return {
    insured,
    state,
    breaker: (): BreakerState => (breaker.state === CircuitState.Closed ? 'closed' : 'open'),
    stop() {
      client.off('ready', report).off('close', report);
      client.disconnect();
    },
  };
}

const awayMessage = 'Redis is away: until it is back, this process counts rate limits in its own memory';

const readyOrLate = (client: Redis) =>
  new Promise<void>((resolve) => {
    const late = setTimeout(resolve, connectTimeoutMs);
    for (const event of ['ready', 'close'])
      client.once(event, () => {
        clearTimeout(late);
        resolve();
      });
  });

/** Why Redis failed, by code alone: a message can quote a command, and with it a password. */
function reasonOf(error: unknown): string {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string') return code;
  // Redis begins each of its errors with a word of its own, such as WRONGPASS.
  return /^[A-Z]{3,20}(?= )/.exec(message)?.[0] ?? 'no_answer';
}
