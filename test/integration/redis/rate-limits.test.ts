import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { redisMissing, startRedis } from '#test/support/servers/redis.ts';

beforeEach(({ skip }) => skip(redisMissing !== undefined, redisMissing));

/** The breaker tries Redis again five seconds after it opened. The rest is a margin for a busy machine. */
const resumesWithinMs = 15_000;

function logKept() {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = pino({}, sink);
  const aboutRedis = () => lines.filter(({ msg }) => msg.includes('Redis'));
  return { log, aboutRedis };
}

/** For tests in which Redis must not count as slow, however busy the machine is. */
const patient = { redisTimeoutMs: 10_000 };

async function startApi(redisUrl: string, { redisTimeoutMs }: Partial<typeof patient> = {}) {
  const { log, aboutRedis } = logKept();
  const rateLimits = { redisUrl, ...(redisTimeoutMs !== undefined && { redisTimeoutMs }) };
  const harness = await startHarness({ worker: false, rateLimits, log });
  const { key } = await harness.key({ rateLimit: 120 });
  const list = async (at: { url: string } = harness) => {
    const startedAt = performance.now();
    const { status, headers } = await call(at, 'GET', '/v1/verifications', { key });
    const remaining = Number(headers['x-ratelimit-remaining']);
    return { status, remaining, ms: performance.now() - startedAt };
  };
  const redisByReady = async () => {
    const { status, json } = await call(harness, 'GET', '/ready');
    expect(status).toBe(200);
    return json.redis;
  };
  return { harness, list, redisByReady, aboutRedis };
}

async function startRateLimits(
  redisUrl: string,
  settings: { windowSeconds?: number; redisTimeoutMs?: number } = {},
) {
  const { log, aboutRedis } = logKept();
  const rateLimits = await createRateLimits({ redisUrl, log, ...settings });
  onTestFinished(() => rateLimits.stop());
  return { ...rateLimits, aboutRedis };
}

describe('counters in Redis', () => {
  test('are shared: of 240 requests at once to two API processes exactly 120 are answered', async () => {
    covers('8/requests-per-minute');
    const redis = await startRedis();
    const { harness, list, redisByReady, aboutRedis } = await startApi(redis.url, patient);
    const second = await harness.startApi();
    onTestFinished(() => second.stop());
    const answers = await Promise.all(
      Array.from({ length: 240 }, (_, i) => list(i % 2 === 0 ? harness : second)),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([120, 120]);
    expect(await redisByReady()).toBe('ok');
    expect(aboutRedis()).toEqual([]);
  });

  test('are forgotten when their window ends, and refused requests do not make it longer', async () => {
    const redis = await startRedis();
    const settings = { ...patient, windowSeconds: 1 };
    const one = await startRateLimits(redis.url, settings);
    const other = await startRateLimits(redis.url, settings);
    await one.count('a', 1);
    expect(await other.count('a', 1)).toMatchObject({ exceeded: true, retryAfterSeconds: 1 });
    const refused = async () =>
      (await Promise.all([one.count('a', 1), other.count('a', 1)])).filter(({ exceeded }) => exceeded).length;
    await expect.poll(refused, { interval: 20, timeout: 5_000 }).toBe(1);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await expect.poll(() => client.dbsize(), { interval: 20, timeout: 5_000 }).toBe(0);
  });

  test('are not asked again for a bucket that is used up', async () => {
    const redis = await startRedis();
    const { count } = await startRateLimits(redis.url, patient);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    const commands = async () =>
      Number(/total_commands_processed:(\d+)/.exec(await client.info('stats'))?.[1]);
    for (let i = 0; i < 2; i++) await count('a', 1);
    const before = await commands();
    const counted = await Promise.all(Array.from({ length: 500 }, () => count('a', 1)));
    expect(counted.filter(({ exceeded }) => exceeded)).toHaveLength(500);
    expect((await commands()) - before).toBeLessThan(10);
  });
});

describe('a Redis that is away stops nothing', () => {
  test('killed: the API goes on answering and says so; started again: counting resumes', async () => {
    const redis = await startRedis();
    const { list, redisByReady, aboutRedis } = await startApi(redis.url, patient);
    expect(await list()).toMatchObject({ status: 200, remaining: 119 });

    await redis.kill();
    const during = [];
    for (let i = 0; i < 10; i++) during.push(await list());
    expect(during.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(during.at(-1)?.remaining).toBeLessThan(119);
    await expect.poll(redisByReady, { interval: 20, timeout: 5_000 }).toBe('unreachable');
    expect(aboutRedis().map(({ level }) => level)).toEqual([pino.levels.values.warn]);

    await redis.start();
    await expect.poll(redisByReady, { interval: 100, timeout: resumesWithinMs }).toBe('ok');
    expect(aboutRedis().map(({ level }) => level)).toEqual([
      pino.levels.values.warn,
      pino.levels.values.info,
    ]);
    expect(await list()).toMatchObject({ status: 200, remaining: 119 });
  });

  test('frozen: after three late answers nobody waits for it; thawed: counting resumes', async () => {
    const redis = await startRedis();
    const { list, redisByReady, aboutRedis } = await startApi(redis.url);
    await list();

    redis.freeze();
    for (let i = 0; i < 3; i++) expect((await list()).status).toBe(200);
    expect(await redisByReady()).toBe('unreachable');
    const during = await Promise.all(Array.from({ length: 20 }, () => list()));
    expect(during.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(aboutRedis()).toMatchObject([{ level: pino.levels.values.warn, reason: 'no_answer' }]);

    redis.thaw();
    await expect.poll(redisByReady, { interval: 100, timeout: resumesWithinMs }).toBe('ok');
    expect(await list()).toMatchObject({ status: 200 });
  });

  test('slow: while one request tries it again, the others do not wait', async () => {
    const redis = await startRedis();
    const proxy = await startProxy(redis.port);
    onTestFinished(() => proxy.stop());
    const { count, redis: state } = await startRateLimits(`redis://127.0.0.1:${proxy.port}`);
    expect(state()).toBe('ok');
    proxy.delayAnswers(300);
    for (let i = 0; i < 3; i++) await count('a', 1_000);
    expect(state()).toBe('unreachable');
    /** Returns which of five requests at once is answered last. */
    const last = async () => {
      const answered: number[] = [];
      await Promise.all([0, 1, 2, 3, 4].map((i) => count('a', 1_000).then(() => answered.push(i))));
      return answered.at(-1);
    };
    // In memory the five are answered in order. If the first of them tries Redis, it is answered last.
    expect(await last()).toBe(4);
    await expect.poll(last, { interval: 50, timeout: resumesWithinMs }).toBe(0);
    expect(state()).toBe('unreachable');
  });

  test('absent at the start: the API starts, and counts in Redis once it is there', async () => {
    const redis = await startRedis();
    await redis.kill();
    const { harness, list, redisByReady, aboutRedis } = await startApi(redis.url, patient);
    expect(aboutRedis()).toMatchObject([{ level: pino.levels.values.warn, reason: 'ECONNREFUSED' }]);
    expect(await list()).toMatchObject({ status: 200, remaining: 119 });
    await redis.start();
    await expect.poll(redisByReady, { interval: 100, timeout: resumesWithinMs }).toBe('ok');
    await list();
    const second = await harness.startApi();
    onTestFinished(() => second.stop());
    expect((await list(second)).remaining).toBe(118);
  });

  test('a Redis that refuses the password counts as away, and the password stays out of the log', async () => {
    const redis = await startRedis();
    const operator = new Redis(redis.url);
    onTestFinished(() => operator.disconnect());
    await operator.config('SET', 'requirepass', 'another');
    const url = redis.url.replace('//', '//:geheim@');
    const { count, redis: state, aboutRedis } = await startRateLimits(url, patient);
    expect(await count('a', 2)).toMatchObject({ remaining: 1, exceeded: false });
    expect(state()).toBe('unreachable');
    expect(aboutRedis()).toMatchObject([{ reason: 'WRONGPASS' }]);
    expect(JSON.stringify(aboutRedis())).not.toContain('geheim');
  });

  test.each([
    ['nothing at all', undefined],
    ['something that is no Redis', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('%s that listens there is like a Redis that is away', async (_, greeting) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (greeting !== undefined) socket.write(greeting);
    });
    server.listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { count, redis: state, aboutRedis } = await startRateLimits(`redis://127.0.0.1:${port}`);
    for (const remaining of [2, 1, 0]) expect((await count('a', 3)).remaining).toBe(remaining);
    expect((await count('a', 3)).exceeded).toBe(true);
    expect(state()).toBe('unreachable');
    expect(aboutRedis()).toMatchObject([{ level: pino.levels.values.warn }]);
  });
});
