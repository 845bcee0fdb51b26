import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { keptMs } from '#policy/retention.ts';
import { removalsWithoutReport } from '#services/relations/removals.ts';
import { startHarness } from '#test/support/harness.ts';
import { fillVerifications } from '#test/support/rows/fill.ts';
import { warnOfRemovals } from '#worker/sweep.ts';

/** 90 days before verifications are removed, their organisation is warned, unless somebody reported the end of the relationship. */

const { ctx, rows, key } = await startHarness({ worker: false });
const { organisationId: acme } = await key({ org: 'Acme', environment: 'live' });
const { organisationId: other } = await key({ org: 'Other', environment: 'live' });

const day = 86_400_000;
const now = new Date('2031-06-15T12:00:00.000Z');
let aheadMs = 0;
const clock = { ...systemClock, now: () => new Date(now.getTime() + aheadMs) };
const removedIn = (days: number) => new Date(now.getTime() - keptMs.completed_verifications + days * day);

async function completed(orgId: string, at: Date, environment: 'live' | 'sandbox' = 'live') {
  await fillVerifications(ctx, { orgId, environment, count: 1 });
  await rows`
    update verifications set completed_at = ${at} where completed_at > '2026-01-01' and completed_at <> ${at}
      and id = (select id from verifications where org_id = ${orgId} order by completed_at desc limit 1)`;
}

async function warnings(): Promise<object[]> {
  const said: object[] = [];
  const log = { warn: (fields: object) => void said.push(fields) } as unknown as Pick<Log, 'warn'>;
  await warnOfRemovals({ store: ctx.store, clock }, log);
  return said;
}

const count = () => removalsWithoutReport({ store: ctx.store, clock });

beforeEach(async () => {
  aheadMs = 0;
  await rows`delete from verifications`;
  await rows`update organisations set removals_warned_until = null`;
});

test('each verification is warned of once, 90 days before it is removed, with the first day of removal', async () => {
  await completed(acme, removedIn(89.9));
  await completed(acme, removedIn(30));
  await completed(acme, removedIn(90.1));
  await completed(other, removedIn(10));
  const of = (organisation: string, verifications: number, days: number) => ({
    ...{ organisation, verifications },
    removedAfter: new Date(now.getTime() + days * day),
  });
  const first = await warnings();
  expect(first).toHaveLength(2);
  expect(first).toEqual(expect.arrayContaining([of(acme, 2, 30), of(other, 1, 10)]));
  expect(await warnings()).toEqual([]);
  expect(await count()).toBe(3);
  aheadMs = day;
  expect(await warnings()).toEqual([of(acme, 1, 90.1)]);
  expect(await count()).toBe(4);
  expect(await warnings()).toEqual([]);
});

test('two workers that look at the same time say it once', async () => {
  await completed(acme, removedIn(30));
  const said = (await Promise.all([warnings(), warnings(), warnings()])).flat();
  expect(said).toHaveLength(1);
});

test('of sandbox, of a reported end and of a relationship that goes on there is no warning', async () => {
  await completed(acme, removedIn(30), 'sandbox');
  await completed(acme, removedIn(30));
  await rows`update verifications set relation_ended_at = ${removedIn(40)} where environment = 'live'`;
  await completed(other, removedIn(30));
  await rows`update verifications set relation_continues = true where org_id = ${other}`;
  expect(await warnings()).toEqual([]);
  expect(await count()).toBe(0);
});
