import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel';
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

/** The use of one bucket in its current window, as the X-RateLimit headers tell it. */
export type RateWindow = { limit: number; remaining: number };

export type Counted = RateWindow & {
  /** True if this request is beyond the limit. */
  exceeded: boolean;
  /** Whole seconds until the window ends, at least 1. */
  retryAfterSeconds: number;
};

export type RedisState = 'ok' | 'unreachable';
export type BreakerState = 'closed' | 'open';

/** Counts requests in fixed windows, one bucket per API key, client address or link (specification 8; decision 20). Never throws. */
export type RateLimits = {
  count(bucket: string, limit: number): Promise<Counted>;
  /** Reads the window without counting. */
  peek(bucket: string, limit: number): Promise<RateWindow>;
  /** `ok` while the counters are shared through Redis. Undefined if no Redis is configured. */
  redis(): RedisState | undefined;
  /** `open` while Redis is not asked, after several failures in a row. Undefined if no Redis is configured. */
  breaker(): BreakerState | undefined;
  stop(): void;
};

type Options = {
  redisUrl: string | undefined;
  log: Log;
  windowSeconds?: number;
  /** The longest time that a request waits for Redis. */
  redisTimeoutMs?: number;
};

type Limiter = Pick<RateLimiterAbstract, 'consume' | 'get'>;
/** Asks the limiter in Redis, and if that fails the one in memory. */
type Insured = <Answer>(ask: (limiter: Limiter) => Promise<Answer>) => Promise<Answer>;

const exhaustedMax = 10_000;

/**
 * Counts in Redis, where all processes share the counters. Counts in the memory of this process if no Redis is configured, or
 * while it is away.
 */
export async function createRateLimits({
  redisUrl,
  log,
  windowSeconds = limits.rateLimitWindowSeconds,
  redisTimeoutMs = 100,
}: Options): Promise<RateLimits> {
  // The limiters only count, so their own limit is never reached. `count` compares with the limit of the bucket.
  const settings = {
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
    keyPrefix: 'verification-service:rate-limit',
  };
  const memory = new RateLimiterMemory(settings);
  const redis =
    redisUrl === undefined ? undefined : await insuredRedis(redisUrl, redisTimeoutMs, settings, memory, log);
  const insured: Insured = redis?.insured ?? ((ask) => ask(memory));
  // A bucket that is used up is refused from memory until its window ends. The limiters use the clock `Date`, so this does too.
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
/** If a Redis accepts commands but answers none for this long, the client connects again. */
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
 * A limiter in Redis that falls back to memory. Redis may be away, hang or refuse us at any time, even at the start. A request
 * waits for it only briefly, and then counts in memory.
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
    // While half open, one request tests whether Redis is back. The others do not wait for it.
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
    // A repeated command would count the request twice.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 100, reconnectMsMax),
  });

/** Logs when Redis is lost and when it is back, each once, with the last error as the reason. */
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

/** Only the code of the error, since a message can quote a command and with it a password. */
function reasonOf(error: unknown): string {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string') return code;
  // Each error of Redis begins with a code word, such as WRONGPASS.
  return /^[A-Z]{3,20}(?= )/.exec(message)?.[0] ?? 'no_answer';
}
