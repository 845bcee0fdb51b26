import { beforeAll, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';

/** The least that the limit can be, so it does not change while creates time out. */
const room = 8;
const harness = await startHarness();
const { url } = await harness.startApi({ creates: room });
const [{ key }, { key: neighbour }] = [
  await harness.key({ org: 'Flood' }),
  await harness.key({ org: 'Neighbour' }),
];

const create = (of: string, idempotencyKey?: string, body: object = {}) =>
  call({ url }, 'POST', '/v1/verifications', {
    key: of,
    body,
    ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
  });
const claimedBy = (reference: string) =>
  harness.rows`select id from requests where status = 'claimed' and input ->> 'reference' = ${reference}`;

let first: Awaited<ReturnType<typeof create>>;
beforeAll(async () => {
  first = await create(key, 'answered before');
  await harness.stopWorker();
});

/** Runs `act` while the process works on as many creates as it may: without a worker they stay in progress for ten seconds. */
async function whileFull<Result>(reference: string, act: () => Promise<Result>): Promise<Result> {
  const flood = Array.from({ length: room }, () => create(key, undefined, { reference }));
  await expect.poll(() => claimedBy(reference), { interval: 20, timeout: 9_000 }).toHaveLength(room);
  const result = await act();
  expect((await Promise.all(flood)).map(({ json }) => json.error.code)).toEqual(
    Array(room).fill('service_unavailable'),
  );
  return result;
}

test('a create beyond what the process works on is refused immediately, and nothing was begun', async () => {
  const refused = await whileFull('flood', () => create(key, 'refused'));
  expect(refused.status).toBe(503);
  expect(refused.json.error).toMatchObject({ type: 'api_error', code: 'overloaded' });
  expect(refused.json.error.message).toContain('Nothing was begun');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await harness.rows`select id from requests where idempotency_key = 'refused'`).toEqual([]);
});

test('meanwhile a key that has an answer gets it, byte for byte, and for another body 422', async () => {
  const [again, other] = await whileFull('again', () =>
    Promise.all([create(key, 'answered before'), create(key, 'answered before', { reference: 'other' })]),
  );
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect([other.status, other.json.error.code]).toEqual([422, 'idempotency_key_reused']);
});

test('meanwhile an agent gets isError with the same code, and reads are answered', async () => {
  const [agent, read] = await whileFull('agent', () =>
    Promise.all([
      callTool({ url }, key, 'start_verification'),
      call({ url }, 'GET', `/v1/verifications/${first.json.id}`, { key }),
    ]),
  );
  expect([agent.isError, agent.error.code, read.status]).toEqual([true, 'overloaded', 200]);
});

test('meanwhile another organisation has its share', async () => {
  const [begun, refused] = await whileFull('share', async () => {
    const within = [1, 2, 3, 4].map(() => create(neighbour, undefined, { reference: 'within its share' }));
    await expect.poll(() => claimedBy('within its share'), { interval: 20 }).toHaveLength(4);
    const beyond = await create(neighbour);
    return [await Promise.all(within), beyond] as const;
  });
  expect(begun.map(({ json }) => json.error.code)).toEqual(Array(4).fill('service_unavailable'));
  expect(refused.json.error.code).toBe('overloaded');
});
