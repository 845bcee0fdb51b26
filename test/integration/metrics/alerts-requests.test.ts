import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { Pool } from 'undici';
import { expect } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import type { Pages } from '#test/support/documents/alerts.ts';
import { launchRedis, redisMissing } from '#test/support/servers/redis.ts';
import { startWatched, valueIn } from './alert-stack.ts';

/** Rules of alerts.yml that ring by what happens to requests: by Postgres or Redis, which the API needs for each. */

const redis = redisMissing === undefined ? await launchRedis() : undefined;
const watched = await startWatched({ REDIS_URL: redis?.url }, { status: 200 });
atTheEnd(async () => redis?.kill());
const { stack, pages, pagesWhen, ringing } = watched;

const postedWith = (all: Pages, labels: Record<string, string> = {}) =>
  valueIn(all, 'http_server_request_duration_seconds_count', {
    ...{ http_request_method: 'POST', http_route: '/v1/verifications' },
    ...labels,
  });
/** Creates this many verifications at once, and reads the pages when all have an answer. */
async function afterCreates(count: number): Promise<Pages> {
  const before = postedWith(await pages());
  await Promise.all(stack.createMany(count).answers);
  return pagesWhen((all) => postedWith(all) >= before + count);
}
/** How long the API stands still each time. The rule allows a second. */
const stoppedMs = 2_000;
const ready = () => expect.poll(async () => (await stack.get('/ready')).status).toBe(200);

ringing('ErrorsOfOurs', 'requests while the database is away', async (monitor) => {
  stack.database.down();
  const rang = await watched.repeated(monitor, 'ErrorsOfOurs', {
    minutes: 3,
    cause: () => afterCreates(50),
  });
  await stack.database.up();
  await ready();
  expect(postedWith(await pages(), { http_response_status_code: '503' })).toBeGreaterThanOrEqual(100);
  return rang;
});

ringing('CreatesSlow', 'creates while the database answers late', async (monitor) => {
  stack.database.delayAnswers(500);
  const rang = await watched.repeated(monitor, 'CreatesSlow', { minutes: 4, cause: () => afterCreates(5) });
  stack.database.delayAnswers(0);
  return rang;
});

ringing(
  'DatabaseSaturated',
  'more requests than connections while the database answers late',
  async (monitor) => {
    stack.database.delayAnswers(1_500);
    const answers: Promise<unknown>[] = [];
    const saturated = await pagesWhen(
      (all) => valueIn(all, 'db_client_connection_pending_requests') > 0,
      async () => void answers.push(...stack.createMany(30).answers),
    );
    stack.database.delayAnswers(0);
    await Promise.all(answers);
    return monitor.watch(saturated, 11);
  },
);

ringing('EventLoopLate', 'an API that gets processor time only now and then', async (monitor) => {
  const late = await pagesWhen(
    (all) => valueIn({ api: all.api ?? [] }, 'nodejs_eventloop_delay_p99_seconds') > 1,
    async () => {
      stack.api.signal('SIGSTOP');
      await pause(stoppedMs);
      stack.api.signal('SIGCONT');
    },
  );
  return monitor.watch(late, 11);
});

ringing('RequestLogLost', 'requests while Postgres cannot write their lines', async (monitor) => {
  const client = new Pool(stack.url, { connections: 10 });
  atTheEnd(() => client.close());
  const headers = { authorization: `Bearer ${stack.key}` };
  /** Is answered without a query. */
  const ask = async () => {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: '/v1/verifications/none',
      headers,
    });
    await body.dump();
    expect(statusCode).toBe(404);
  };
  const lost = await stack.store.transaction(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    await sql`lock table request_log in share mode`.execute(tx);
    for (let all = await pages(); ; all = await pages()) {
      if (valueIn(all, 'request_log_lines_lost_total') > 0) return all;
      await Promise.all(Array.from({ length: 1_000 }, ask));
    }
  });
  return monitor.watch(lost, 1);
});

ringing(
  'RateLimitsNotShared',
  'a Redis that is away',
  async (monitor) => {
    await redis?.kill();
    const alone = await pagesWhen((all) => valueIn(all, 'rate_limit_store', { store: 'memory' }) > 0);
    return monitor.watch(alone, 11);
  },
  redisMissing,
);
