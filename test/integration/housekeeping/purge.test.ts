import { beforeEach, describe, expect, test } from 'vitest';
import { deliveryStatuses, deliveryTriggers } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { type Expiring, expiring } from '#contract/workflows.ts';
import { systemClock } from '#platform/clock.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { expired } from '#store/keeping/retention.ts';
import { startHarness } from '#test/support/harness.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { addClaim, addDelivery, addEvent, aged, emptyDatabase } from './rows.ts';

const { housekeepingStore: store, store: appStore, rows } = await startHarness({ worker: false });
beforeEach(() => emptyDatabase(rows));

const hour = 3_600_000;
const day = 24 * hour;
const now = new Date('2026-06-15T12:00:00.000Z');
const kept: Record<Expiring, number> = {
  claims: 24 * hour,
  // The log is deleted by whole days, and `now` is noon.
  request_log: 30 * day + 12 * hour,
  event_bodies: 30 * day,
  response_excerpts: 30 * day,
  evidence: 0,
  requests: 30 * day,
  webhook_secrets: 0,
  abandoned_verifications: 90 * day,
  completed_verifications: 1_827 * day,
};
const ago = (ms: number) => new Date(now.getTime() - ms);
const longAgo = ago(2_000 * day);

const clock = { ...systemClock, now: () => now };
const purge = async (what: Expiring, rowsMax = 100) =>
  (await purgeExpired({ store, clock }, { what, rowsMax })).rows;

describe.each(expiring)('of %s', (what) => {
  const { add, left } = aged[what];

  test('a row at the age limit stays, and a row that is a millisecond older is purged', async () => {
    for (const age of [0, kept[what], kept[what] + 1]) await add(rows, ago(age));
    expect(await purge(what)).toBe(1);
    expect(await left(rows)).toEqual([ago(kept[what]), now]);
    expect(await purge(what)).toBe(0);
  });

  test('a batch has at most the given number of rows, the oldest first', async () => {
    const moments = [0, 1, 2, 3, 4, 5, 6].map((n) => new Date(longAgo.getTime() + n));
    for (const at of moments.toReversed()) await add(rows, at);
    expect(await purge(what, 3)).toBe(3);
    expect(await left(rows)).toEqual(moments.slice(3));
    expect(await purge(what, 3)).toBe(3);
    expect(await purge(what, 3)).toBe(1);
    expect(await left(rows)).toEqual([]);
  });

  test('runs at the same time share the rows, and count none twice', async () => {
    await add(rows, longAgo, 60);
    const untilNoneIsLeft = async () => {
      let purged = 0;
      for (let rows = 1; rows > 0; purged += rows) rows = await purge(what, 4);
      return purged;
    };
    const counts = await Promise.all(Array.from({ length: 4 }, untilNoneIsLeft));
    expect(counts.reduce((sum, count) => sum + count)).toBe(60);
    expect(await left(rows)).toEqual([]);
  });

  test('rows that another transaction holds are left alone, without waiting for it', async () => {
    await add(rows, longAgo, 2);
    await store.transaction(async (tx) => {
      const held = await expired[what](tx, { before: now, rowsMax: 1 }).execute();
      expect(held).toHaveLength(1);
      expect(await purge(what)).toBe(1);
    });
    expect(await left(rows)).toEqual([longAgo]);
    expect(await purge(what)).toBe(1);
  });

  test('expired rows are found by an index, however many rows are kept', async () => {
    const many: Partial<Record<Expiring, number>> = {
      ...{ response_excerpts: 1_500, evidence: 4_000 },
      ...{ abandoned_verifications: 4_000, completed_verifications: 4_000 },
    };
    await add(rows, now, many[what] ?? 20_000);
    await add(rows, longAgo, 3);
    await rows`analyze requests, request_log, events, deliveries, delivery_attempts, evidence, verifications, webhook_endpoints`;
    const plan = await expired[what](store.db, { before: ago(kept[what]), rowsMax: 1_000 }).explain('text');
    const index = {
      claims: 'requests_expiring',
      request_log: 'request_log_default_created_at_idx',
      event_bodies: 'events_with_body',
      response_excerpts: 'delivery_attempts_with_contents',
      evidence: 'evidence_over',
      requests: 'requests_pkey',
      webhook_secrets: 'webhook_endpoints_overlap',
      abandoned_verifications: 'verifications_abandoned',
      completed_verifications: 'verifications_kept',
    }[what];
    expect(JSON.stringify(plan)).toMatch(
      new RegExp(`Index Scan using ${index} on|Bitmap Index Scan on ${index} `),
    );
  });
});

describe('of claims', () => {
  const rowOf = async (id: string) =>
    (
      await rows`select status, idempotency_key, fingerprint, input, answer_status, answer from requests where id = ${id}`
    )[0];
  const nothing = {
    ...{ idempotency_key: null, fingerprint: Buffer.alloc(0), input: null },
    ...{ answer_status: null, answer: null },
  };
  const old = ago(limits.idempotencyRetentionHours * hour + 1);

  test('an answered claim loses its key and its answer, and stays answered', async () => {
    const id = await addClaim(rows, { key: 'k', status: 'answered', at: old });
    await purge('claims');
    expect(await rowOf(id)).toEqual({ status: 'answered', ...nothing });
  });

  test.each([
    ['with', 'k'],
    ['without', undefined],
  ])('one that was never answered, %s a key, is abandoned, and what it asked for is gone', async (_, key) => {
    const id = await addClaim(rows, { ...(key && { key }), status: 'claimed', at: old });
    expect(await rowOf(id)).toMatchObject({ input: { reference: 'of a person' } });
    await purge('claims');
    expect(await rowOf(id)).toEqual({ status: 'abandoned', ...nothing });
    expect(await purge('claims')).toBe(0);
  });
});

describe('of events', () => {
  const isOpen = (status: string) => status === 'pending' || status === 'retrying';
  const bodiesLeft = async () => (await aged.event_bodies.left(rows)).length;

  test.each(deliveryTriggers.flatMap((trigger) => deliveryStatuses.map((status) => ({ trigger, status }))))(
    'the body stays exactly while a delivery may still send it: by $trigger, $status',
    async ({ trigger, status }) => {
      await addDelivery(rows, await addEvent(rows, longAgo), status, trigger);
      expect(await purge('event_bodies')).toBe(isOpen(status) ? 0 : 1);
      expect(await bodiesLeft()).toBe(isOpen(status) ? 1 : 0);
    },
  );

  test('bodies that must stay do not hold up the purge of others', async () => {
    for (let i = 0; i < 5; i++) await addDelivery(rows, await addEvent(rows, longAgo), 'retrying');
    await addEvent(rows, ago(31 * day));
    expect(await purge('event_bodies', 2)).toBe(1);
    expect(await bodiesLeft()).toBe(5);
  });

  test('the body stays when a resend is being written at this very moment', async () => {
    const eventId = await addEvent(rows, longAgo);
    await appStore.transaction(async (tx) => {
      await addDelivery(rowsIn({ db: tx }), eventId, 'pending', 'resend');
      expect(await purge('event_bodies')).toBe(0);
    });
    expect(await purge('event_bodies')).toBe(0);
    expect(await bodiesLeft()).toBe(1);
  });

  test('a long backlog is gone through by its index, whatever else is being delivered', async () => {
    await aged.event_bodies.add(rows, longAgo, 20_000);
    await rows`
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed)
      select gen_random_uuid(), e.org_id, e.environment, e.id, w.id, 'retrying', 6
      from events e, webhook_endpoints w order by e.id limit 5000`;
    await rows`analyze events, deliveries`;
    const plan = JSON.stringify(
      await expired.event_bodies(store.db, { before: now, rowsMax: 1_000 }).explain('text'),
    );
    expect(plan).toContain('using events_with_body on');
    expect(plan).not.toMatch(/Join|Sort/);
  });

  test('nothing else of an event, a delivery or an attempt changes', async () => {
    await aged.response_excerpts.add(rows, longAgo);
    const all = async () =>
      await rows<object>`
          select to_jsonb(e) - 'body' as event, to_jsonb(d) as delivery, to_jsonb(a) - 'answer' - 'heads' as attempt
          from events e join deliveries d on d.event_id = e.id join delivery_attempts a on a.delivery_id = d.id`;
    const then = await all();
    for (const what of expiring) await purge(what);
    expect(await all()).toEqual(then);
    expect(then).toHaveLength(1);
  });
});
