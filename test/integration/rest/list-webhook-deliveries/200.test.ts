import { expect, test } from 'vitest';
import { deliveryStatuses } from '#contract/enums.ts';
import { startHarness } from '#test/support/harness.ts';
import { eventually, startPartner } from '#test/support/people/partner.ts';
import { fillDeliveries } from '#test/support/rows/fill.ts';

const harness = await startHarness({ retryWaitsMs: [50, 600_000] });
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('without deliveries the list is empty', async () => {
  const { ask, path } = await startPartner(harness);
  const { status, json } = await ask('GET', `${path}/deliveries`);
  expect(status).toBe(200);
  expect(json).toEqual({ object: 'list', data: [], has_more: false, next_starting_after: null });
});

test('a delivery shows why each attempt failed, and when the next is due', async () => {
  const partner = await startPartner(
    harness,
    {},
    { status: 302, headers: { location: 'https://elsewhere.example' } },
    { status: 500 },
    { status: 200 },
  );
  await partner.ask('POST', '/verifications');
  const attempt = { duration_ms: expect.any(Number), started_at: expect.stringMatching(iso) };
  const shown = {
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    object: 'webhook_delivery',
    event_id: expect.stringMatching(/^evt_/),
    event_type: 'verification.completed',
    trigger: 'event',
    created_at: expect.stringMatching(iso),
    attempts: [
      { number: 1, response_status: 302, reason: 'redirect_not_followed', ...attempt },
      { number: 2, response_status: 500, reason: 'http_status', ...attempt },
    ],
  };
  await eventually(() => partner.deliveries()).toEqual([
    { ...shown, status: 'retrying', next_attempt_at: expect.stringMatching(iso) },
  ]);
  const [{ next_attempt_at }] = await partner.deliveries();
  expect(Date.parse(next_attempt_at) - Date.now()).toBeGreaterThan(500_000);
});

test('an unreachable receiver is reported by a reason, and never by an address', async () => {
  const partner = await startPartner(harness);
  await partner.receiver.stop();
  await partner.ask('POST', `${partner.path}/test`);
  await eventually(() => partner.deliveries()).toMatchObject([
    { status: 'failed', attempts: [{ number: 1, response_status: null, reason: 'connection_failed' }] },
  ]);
  const { text } = await partner.ask('GET', `${partner.path}/deliveries`);
  expect(text).not.toContain('127.0.0.1');
  expect(text).not.toContain('localhost');
});

test('an attempt that is under way is not shown, so pending means that none has ended', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const partner = await startPartner(harness, {}, { status: 200, until: held });
  await partner.ask('POST', `${partner.path}/test`);
  await partner.receiver.waitFor(1);
  expect(await partner.deliveries()).toMatchObject([{ status: 'pending', attempts: [] }]);
  letGo();
  await eventually(() => partner.deliveries()).toMatchObject([
    { status: 'delivered', next_attempt_at: null, attempts: [{ reason: null, response_status: 200 }] },
  ]);
});

test('a delivery whose endpoint was deactivated before it got there is cancelled, and stays readable', async () => {
  const partner = await startPartner(harness);
  await harness.stopWorker();
  await partner.ask('POST', `${partner.path}/test`);
  await partner.ask('DELETE', partner.path);
  await harness.startWorker();
  await eventually(() => partner.deliveries()).toMatchObject([
    { status: 'cancelled', next_attempt_at: null, attempts: [] },
  ]);
  expect(partner.receiver.received).toEqual([]);
});

test('deliveries of both environments are here, for keys of both', async () => {
  const partner = await startPartner(harness);
  const live = await startPartner(harness, { org: partner.org, environment: 'live' });
  await partner.ask('POST', `${partner.path}/test`);
  await live.ask('POST', `${partner.path}/test`);
  await partner.receiver.waitFor(2);
  await eventually(() => partner.deliveries()).toMatchObject([
    { status: 'delivered' },
    { status: 'delivered' },
  ]);
  const { json } = await live.ask('GET', `${partner.path}/deliveries`);
  expect(json.data).toEqual(await partner.deliveries());
});

async function idsOfAllPages(partner: Awaited<ReturnType<typeof startPartner>>, query: string) {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await partner.ask('GET', `${partner.path}/deliveries?${query}${cursor}`);
    ids.push(...json.data.map(({ id }: { id: string }) => id));
    if (!json.has_more) return ids;
    cursor = `&starting_after=${json.next_starting_after}`;
  }
}

test.each([undefined, ...deliveryStatuses])(
  'status %s: pages give each row once and in order',
  async (status) => {
    const partner = await startPartner(harness);
    for (const each of deliveryStatuses)
      await fillDeliveries(harness, partner, {
        status: each,
        count: 30,
        perMoment: 7,
        attempts: each === 'pending' ? 0 : 3,
      });
    const ids = await idsOfAllPages(partner, `limit=11${status === undefined ? '' : `&status=${status}`}`);
    const rows = await harness.rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${partner.endpoint.id} and status = coalesce(${status ?? null}, status)
    order by created_at desc, id desc`;
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(ids).toHaveLength(status === undefined ? 150 : 30);
  },
);

test('a cursor whose delivery has another status by now still leads on', async () => {
  const partner = await startPartner(harness);
  await fillDeliveries(harness, partner, {
    status: 'retrying',
    count: 4,
  });
  const { json: first } = await partner.ask('GET', `${partner.path}/deliveries?status=retrying&limit=2`);
  await harness.rows`update deliveries set status = 'delivered' where id = ${first.next_starting_after}`;
  const query = `status=retrying&starting_after=${first.next_starting_after}`;
  const { json: second } = await partner.ask('GET', `${partner.path}/deliveries?${query}`);
  expect(second.data).toHaveLength(2);
});

test('a page holds 20 unless asked for 1 to 100, each with its own attempts', async () => {
  const partner = await startPartner(harness);
  await fillDeliveries(harness, partner, {
    status: 'delivered',
    count: 101,
    attempts: 6,
  });
  expect(await partner.deliveries()).toHaveLength(20);
  const hundred = await partner.deliveries('?limit=100');
  expect(hundred).toHaveLength(100);
  for (const { attempts, created_at } of hundred) {
    expect(attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(attempts.at(-1)).toMatchObject({ reason: null, response_status: 200 });
    expect(Date.parse(attempts[5].started_at) - Date.parse(created_at)).toBe(6);
  }
});
