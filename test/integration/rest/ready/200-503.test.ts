import { expect, test, vi } from 'vitest';
import { readiness } from '#services/health/ready.ts';
import { openStore } from '#store/database/connection.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { temporalNowhere } from '#test/support/nowhere.ts';
import { queryAt } from '#test/support/servers/database.ts';

const harness = await startHarness({ worker: false });

const nowhere = '127.0.0.1:1';

test('ready when database and Temporal answer', async () => {
  const { status, json } = await call(harness, 'GET', '/ready');
  expect(status).toBe(200);
  expect(json).toEqual({ status: 'ready', database: 'ok', temporal: 'ok' });
});

test('many questions at once cost one look at Temporal and the database', async () => {
  const ping = vi.spyOn(harness.ctx.temporal, 'ping');
  const answers = await Promise.all(Array.from({ length: 100 }, () => call(harness, 'GET', '/ready')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  // An answer is reused for a second, so a slow machine may need a second look.
  expect(ping.mock.calls.length).toBeLessThan(10);
  ping.mockRestore();
});

test('a database that is gone is named', async () => {
  const store = await openStore(`postgres://nobody@${nowhere}/x`);
  expect(await readiness({ ...harness.ctx, store })).toEqual({
    ready: false,
    database: 'unreachable',
    temporal: 'ok',
  });
  await store.close();
});

test('a database that takes no writes, such as a standby, is named', async () => {
  const { username, pathname } = new URL(harness.roleUrls.housekeeping);
  const setting = `alter role ${username} in database "${pathname.slice(1)}" set default_transaction_read_only = on`;
  await queryAt(harness.databaseUrl, setting);
  const store = await openStore(harness.roleUrls.housekeeping);
  expect(await readiness({ ...harness.ctx, store })).toEqual({
    ready: false,
    database: 'read_only',
    temporal: 'ok',
  });
  await store.close();
});

test('a Temporal server that is gone is named', async () => {
  const temporal = await temporalNowhere(harness);
  expect(await readiness({ ...harness.ctx, temporal })).toEqual({
    ready: false,
    database: 'ok',
    temporal: 'unreachable',
  });
});
