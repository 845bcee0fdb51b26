import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { type IRateLimiterOptions, RateLimiterRedis } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.ts';
import type { Log } from '../log.ts';
import { type Limiter, memoryLimiter } from './memory-limiter.ts';

/** The use of one bucket in its current window, as the X-RateLimit headers report it. */
export type RateWindow = { limit: number; remaining: number };

export type Counted = RateWindow & {
  /** True if this request is beyond the limit. */
  exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  retryAfterSeconds: number;
};

export type RedisState = 'ok' | 'unreachable';
export type BreakerState = 'closed' | 'open';

/**
 * Counts requests in fixed windows (specification 8; decision 20). Each API key, client address and link has
 * its own bucket. The methods never throw.
 */
export type RateLimits = {
  /** `windowSeconds`: another window than the usual one. All calls for a bucket name the same one. */
  count(bucket: string, limit: number, windowSeconds?: number): Promise<Counted>;
  /** Reads the window without counting a request. */
  peek(bucket: string, limit: number): Promise<RateWindow>;
  /** Whole seconds until the bucket has room again. Undefined if it has room now. Counts no request, and holds nothing of a new bucket. */
  waitSeconds(bucket: string, limit: number): Promise<number | undefined>;
  /** `ok` while the processes share their counters in Redis. Undefined if no Redis is configured. */
  redis(): RedisState | undefined;
  /**
   * `open` after several failures of Redis in a row. While the state is `open`, requests do not use Redis, except single requests
   * that test Redis. Undefined if no Redis is configured.
   */
  breaker(): BreakerState | undefined;
  stop(): void;
};

/** Where and how a server counts. */
export type Counting = {
  redisUrl: string | undefined;
  windowSeconds?: number;
  /** The longest time that a request waits for Redis, in milliseconds. */
  redisTimeoutMs?: number;
};

/** Calls `ask` with the limiter in Redis. If there is no Redis or that call fails, calls `ask` with the limiter in memory. */
type Insured = <Answer>(ask: (limiter: Limiter) => Promise<Answer>) => Promise<Answer>;

const exhaustedMax = 10_000;

/**
 * Counts in Redis, where all processes share the counters. If no Redis is configured or Redis is unavailable,
 * counts in the memory of this process.
 */
export async function createRateLimits({
  redisUrl,
  log,
  windowSeconds = limits.rateLimitWindowSeconds,
  redisTimeoutMs = 100,
}: Counting & { log: Log }): Promise<RateLimits> {
  // The limiters only count, so their own limit is never reached. `count` compares the result with the limit of the bucket.
  const settings = {
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: 'verification-service:rate-limit',
  };
  const memory = memoryLimiter();
  const redis =
    redisUrl === undefined ? undefined : await insuredRedis(redisUrl, redisTimeoutMs, settings, memory, log);
  const insured: Insured = redis?.insured ?? ((ask) => ask(memory));
  // If a bucket is used up, its further requests are refused without Redis until the window ends. The cache uses `Date` because the
  // limiters use `Date`.
  const exhausted = new LRUCache<string, true>({ max: exhaustedMax, perf: Date });

  return {
    async count(bucket, limit, customDuration = windowSeconds) {
      const name = nameOf(bucket, limit);
      const waitMs = exhausted.getRemainingTTL(name);
      if (waitMs > 0) return counted(limit, limit + 1, waitMs);
      const { consumedPoints, msBeforeNext } = await insured((limiter) =>
        limiter.consume(bucket, 1, { customDuration }),
      );
      if (consumedPoints >= limit) exhausted.set(name, true, { ttl: Math.max(msBeforeNext, 1) });
      return counted(limit, consumedPoints, msBeforeNext);
    },
    async peek(bucket, limit) {
      const found = await insured((limiter) => limiter.get(bucket));
      return windowOf(limit, found?.consumedPoints ?? 0);
    },
    async waitSeconds(bucket, limit) {
      const knownMs = exhausted.getRemainingTTL(nameOf(bucket, limit));
      if (knownMs > 0) return wholeSeconds(knownMs);
      const found = await insured((limiter) => limiter.get(bucket));
      return found === null || found.consumedPoints < limit ? undefined : wholeSeconds(found.msBeforeNext);
    },
    redis: () => redis?.state(),
    breaker: () => redis?.breaker(),
    stop: () => redis?.stop(),
  };
}

const nameOf = (bucket: string, limit: number) => `${bucket} of ${limit}`;

const wholeSeconds = (ms: number) => Math.max(Math.ceil(ms / 1_000), 1);

const windowOf = (limit: number, used: number): RateWindow => ({
  limit,
  remaining: Math.max(limit - used, 0),
});

const counted = (limit: number, used: number, waitMs: number): Counted => ({
  ...windowOf(limit, used),
  exceeded: used > limit,
  retryAfterSeconds: wholeSeconds(waitMs),
});

const connectTimeoutMs = 1_000;
/** If Redis answers no command for this time, the client connects again. */
const silenceMs = 2_000;
const reconnectMsMax = 2_000;
const failuresToOpen = 3;
const openMs = 5_000;

type InsuredRedis = {
  insured: Insured;
  state(): RedisState;
  breaker(): BreakerState;
  stop(): void;
};

/**
 * Creates a limiter in Redis that falls back to memory. Redis may be unreachable, hang or refuse the client
 * at any time, even at the start. A request waits for Redis at most `redisTimeoutMs`, and is then counted in
 * memory.
 */
async function insuredRedis(
  url: string,
  redisTimeoutMs: number,
  settings: IRateLimiterOptions,
  memory: Limiter,
  log: Log,
): Promise<InsuredRedis> {
  const client = redisClient(url, redisTimeoutMs);
  const limiter = new RateLimiterRedis({ ...settings, storeClient: client, rejectIfRedisNotReady: true });
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(failuresToOpen),
    halfOpenAfter: openMs,
  });
  const state = (): RedisState =>
    client.status === 'ready' && breaker.state === CircuitState.Closed ? 'ok' : 'unreachable';
  const reports = reportChanges(client, breaker, state, log);
  await readyOrLate(client);
  reports.report();

  const insured: Insured = async (ask) => {
    // While the breaker is half open, one request tests whether Redis is back. All other requests are counted in memory meanwhile.
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
    breaker: () => (breaker.state === CircuitState.Closed ? 'closed' : 'open'),
    stop() {
      reports.stop();
      client.disconnect();
    },
  };
}

const redisClient = (url: string, commandTimeout: number) =>
  new Redis(url, {
    commandTimeout,
    connectTimeout: connectTimeoutMs,
    socketTimeout: silenceMs,
    enableOfflineQueue: false,
    // A resent command would count the request twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, reconnectMsMax),
  });

/** Logs once when Redis is lost, with the last error as the reason, and once when Redis is back. */
function reportChanges(client: Redis, breaker: CircuitBreakerPolicy, state: () => RedisState, log: Log) {
  let lastError: unknown;
  client.on('error', (error) => {
    lastError = error;
  });
  breaker.onFailure(({ reason }) => {
    if ('error' in reason) lastError = reason.error;
  });

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
  return { report, stop: () => void client.off('ready', report).off('close', report) };
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

/** Returns only the code of an error. The message can quote a command, and the command can contain a password. */
function reasonOf(error: unknown): string {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string') return code;
  // The message of a Redis error begins with a code word, such as WRONGPASS.
  return /^[A-Z]{3,20}(?= )/.exec(message)?.[0] ?? 'no_answer';
}
