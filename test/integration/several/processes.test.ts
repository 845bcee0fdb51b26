import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deliveryWorkflowId, verificationWorkflowId } from '#contract/workflows.ts';
import { covers } from '#test/requirements.ts';
import { call } from '#test/support/harness.ts';
import { settle } from '#test/support/people/as-operator.ts';
import { createsBecome } from '#test/support/people/creates.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import type { startReceiver } from '#test/support/people/receiver.ts';
import type { Program } from '#test/support/program.ts';
import { revoke } from '#test/support/rows/keys.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { freeze, whyNoFreezing } from '#test/support/servers/freeze.ts';
import { redisMissing } from '#test/support/servers/redis.ts';
import { type Cluster, startCluster } from './cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
}, 90_000);
afterAll(() => cluster.stop());

/** Chooses the two APIs in turn, as a load balancer does. */
const apiAt = (turn: number) => cluster.apis[turn % 2 === 0 ? 0 : 1];

const create = (turn: number, key: string, idempotencyKey: string) =>
  call(apiAt(turn), 'POST', '/v1/verifications', {
    key,
    body: { reference: idempotencyKey },
    headers: { 'idempotency-key': idempotencyKey },
  });

test('a health check tells a process that does its work from one that does not', async () => {
  const portOf = ({ url }: { url: string }) => ({ PORT: new URL(url).port });
  const checks = [
    cluster.health('api', portOf(cluster.apis[0])),
    cluster.health('worker', {}),
    cluster.health('api', { PORT: String(await freePort()) }),
    cluster.health('worker', { TEMPORAL_NAMESPACE: 'where-nobody-works' }),
    cluster.health('worker', { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` }),
  ];
  expect(await Promise.all(checks)).toEqual([0, 0, 1, 1, 1]);
}, 60_000);

test('a key has one rate limit over all API processes', async ({ skip }) => {
  skip(redisMissing !== undefined, redisMissing);
  covers('8/requests-per-minute');
  const { key } = await cluster.key({ org: 'Counted', rateLimit: 10 });
  const answers = [];
  for (let turn = 0; turn < 14; turn++)
    answers.push(await call(apiAt(turn), 'GET', '/v1/verifications', { key }));
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
  expect(answers.slice(0, 10).map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([
    9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
  ]);
});

test('callers with one idempotency key at both APIs at once get one verification and the same bytes', async () => {
  covers('4.1/idempotent-replay', '4.1/idempotent-creates-once');
  const { key } = await cluster.key({ org: 'Idempotent' });
  const idempotencyKey = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, turn) => create(turn, key, idempotencyKey)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const rows = await cluster.rows`select 1 from verifications where reference = ${idempotencyKey}`;
  expect(rows).toHaveLength(1);
  const other = await call(apiAt(1), 'POST', '/v1/verifications', {
    key,
    body: { reference: 'another body' },
    headers: { 'idempotency-key': idempotencyKey },
  });
  expect(other.json.error.code).toBe('idempotency_key_reused');
});

test('a revoked key works for less than five seconds more at either API', async () => {
  covers('5/revoked-key');
  const { id, key } = await cluster.key({ org: 'Revoked' });
  const statuses = () =>
    Promise.all(
      cluster.apis.map(async (api) => (await call(api, 'GET', '/v1/verifications', { key })).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  await revoke(cluster.store, id);
  // Both APIs have just read the key and keep it in memory for four seconds. After that they must read it again.
  await pause(5_000);
  expect(await statuses()).toEqual([401, 401]);
});

test('creates of an organisation that the operator pauses are refused within five seconds at either API', async () => {
  const { key } = await cluster.key({ org: 'Paused' });
  // Both APIs have just read the key.
  await createsBecome(cluster.apis, { key }, 'accepted');
  await settle(cluster.store, 'Paused', { paused: true });
  await createsBecome(cluster.apis, { key }, 'organisation_paused');
  await settle(cluster.store, 'Paused', { paused: false });
  await createsBecome(cluster.apis, { key }, 'accepted');
}, 30_000);

/** Creates a partner with an endpoint. Its requests go to both APIs in turn. */
async function partner(org: string, ...replies: Parameters<typeof startReceiver>) {
  const { key, receiver, endpoint } = await startPartner(
    { url: cluster.apis[1].url, key: cluster.key },
    { org },
    ...replies,
  );
  const deliveries = async () => {
    const rows = await cluster.rows<{ id: string; event_id: string; status: string; outcomes: string[] }>`
      select deliveries.id, event_id, deliveries.status,
        array_agg(coalesce(outcome, 'under way') order by number) as outcomes
      from deliveries join delivery_attempts on delivery_id = deliveries.id
      where endpoint_id = ${endpoint.id} group by deliveries.id`;
    return rows;
  };
  const sentOf = (eventId: string) =>
    receiver.received.filter(({ headers }) => headers['x-service-delivery'] === eventId).length;
  return { key, receiver, deliveries, sentOf };
}

test('both workers take their part of the deliveries', async () => {
  const { key, receiver, deliveries, sentOf } = await partner('Shared out');
  try {
    const atWork = new Set<Program>();
    let created = 0;
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, turn) => create(turn, key, randomUUID())),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
        created += 10;
        await receiver.waitFor(created);
        for (const { id } of await deliveries())
          for (const worker of await cluster.workersOf(id)) atWork.add(worker);
        expect(atWork.size).toBe(2);
      },
      { timeout: 30_000, interval: 10 },
    );
    const rows = await deliveries();
    expect(rows.map(({ event_id }) => sentOf(event_id))).toEqual(rows.map(() => 1));
  } finally {
    await receiver.stop();
  }
});

test('an API that is told to stop under load loses no request: what it took it answers, the rest goes to the other', async () => {
  const { key } = await cluster.key({ org: 'Moved on' });
  const [leaving, staying] = cluster.apis;
  const total = 120;
  const answered: number[] = [];
  const byLeaving = { count: 0 };
  let done = 0;
  let next = 0;
  const caller = async () => {
    while (next < total) {
      const turn = next++;
      answered[turn] = await asBalanced(turn, key, byLeaving);
      if (++done === 40) leaving.signal('SIGTERM');
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
  expect(answered).toEqual(Array(total).fill(201));
  expect(await leaving.exited).toBe(0);
  expect(byLeaving.count).toBeGreaterThan(10);
  expect(byLeaving.count).toBeLessThan(total / 2);
  const rows = await cluster.rows<{ count: number }>`
    select count(*)::int as count from verifications join organisations on organisations.id = org_id
    where organisations.name = 'Moved on'`;
  expect(rows).toEqual([{ count: total }]);
  expect((await call(staying, 'GET', '/v1/verifications', { key })).status).toBe(200);
});

/** Each request has its own connection, since a connection that closes while idle must not look like a lost request. */
const dispatcher = new Agent({ pipelining: 0 });

/**
 * Sends a request as a load balancer does. If the stopping API refuses the connection, the other API gets the request. The same
 * happens after a connection is reset, if the product knows nothing of the request. Every other failure fails the test.
 */
async function asBalanced(turn: number, key: string, byLeaving: { count: number }): Promise<number> {
  const [leaving, staying] = cluster.apis;
  const idempotencyKey = randomUUID();
  for (const api of turn % 2 === 0 ? [leaving, staying] : [staying]) {
    try {
      const { statusCode, body } = await request(`${api.url}/v1/verifications`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
      });
      await body.dump();
      if (api === leaving) byLeaving.count += 1;
      return statusCode;
    } catch (error) {
      const { code } = error as { code?: string };
      const untouched = code === 'ECONNRESET' && !(await isKnown(idempotencyKey));
      if (code !== 'ECONNREFUSED' && !untouched) throw error;
    }
  }
  throw new Error('no API takes requests');
}

async function isKnown(idempotencyKey: string): Promise<boolean> {
  const rows = await cluster.rows`select 1 from requests where idempotency_key = ${idempotencyKey}`;
  return rows.length > 0;
}

test('a worker that hangs while it examines a document delays the verdict by less than two minutes', async ({
  skip,
}) => {
  skip(whyNoFreezing !== undefined, whyNoFreezing);
  // The other API has stopped.
  const [, api] = cluster.apis;
  const { key } = await cluster.key({ org: 'Examined', environment: 'live' });
  const body = { method: 'document_only' };
  const submitted = async () => {
    const { json } = await call(api, 'POST', '/v1/verifications', { key, body });
    const user = person(api, json.verify_url);
    await user.start();
    await user.upload('passport_page', await anyPicture());
    await user.submit();
    return json.id as string;
  };
  const statusOf = async (id: string) =>
    (await call(api, 'GET', `/v1/verifications/${id}`, { key })).json.status;

  /** Freezes the worker that examines the document. Undefined if the examination was over before. */
  const freezeExaminer = async (id: string) => {
    const examiner = () => cluster.workerAt(verificationWorkflowId(id));
    const worker = await examiner();
    const thaw = worker && freeze(worker.pid);
    if ((await examiner()) === worker) return thaw;
    thaw?.();
    return undefined;
  };

  let id: string;
  let thaw: (() => void) | undefined;
  do {
    id = await submitted();
    thaw = await freezeExaminer(id);
  } while (thaw === undefined);
  try {
    // Temporal gives further tasks to a worker that hangs, as long as its polls are open. That takes a minute at most.
    await expect.poll(() => statusOf(id), { timeout: 120_000 }).toBe('completed');
  } finally {
    thaw();
  }
}, 300_000);

test('a worker killed in the middle of its deliveries stops nobody else, and the other finishes them', async () => {
  const held = 10;
  let answerHeld = () => {};
  const until = new Promise<void>((resolve) => {
    answerHeld = resolve;
  });
  const { key, receiver, deliveries, sentOf } = await partner(
    'Killed',
    ...Array.from({ length: held }, () => ({ status: 200, until })),
    { status: 200 },
  );
  try {
    await Promise.all(Array.from({ length: held }, () => create(1, key, randomUUID())));
    await receiver.waitFor(held);
    const holders = new Map<string, Program | undefined>();
    const findHolders = async () => {
      for (const { id } of await deliveries())
        holders.set(id, await cluster.workerAt(deliveryWorkflowId(id)));
      expect([...holders.values()].filter((holder) => holder !== undefined)).toHaveLength(held);
    };
    await vi.waitFor(findHolders, { timeout: 10_000, interval: 200 });
    const heldBy = (worker: Program) =>
      [...holders].filter(([, holder]) => holder === worker).map(([id]) => id);
    const [first, second] = cluster.workers as [Program, Program];
    const victim = heldBy(first).length >= heldBy(second).length ? first : second;
    const orphaned = heldBy(victim);
    victim.signal('SIGKILL');
    await victim.exited;

    await Promise.all(Array.from({ length: 5 }, () => create(1, key, randomUUID())));
    await receiver.waitFor(held + 5);
    answerHeld();

    const settled = async () =>
      (await deliveries()).map(({ id, status, outcomes }) => ({ id, status, outcomes }));
    const expected = (id: string) => ({
      id,
      status: 'delivered',
      outcomes: orphaned.includes(id) ? ['outcome_unknown', 'delivered'] : ['delivered'],
    });
    // The activity of the dead worker times out after 30 s. The next attempt is due 5 s after that was recorded.
    await vi.waitFor(
      async () => {
        const rows = await settled();
        expect(rows).toHaveLength(held + 5);
        expect(rows).toEqual(rows.map(({ id }) => expected(id)));
      },
      { timeout: 80_000, interval: 500 },
    );
    for (const { id, event_id } of await deliveries())
      expect([id, sentOf(event_id)]).toEqual([id, orphaned.includes(id) ? 2 : 1]);
  } finally {
    answerHeld();
    await receiver.stop();
  }
}, 120_000);
