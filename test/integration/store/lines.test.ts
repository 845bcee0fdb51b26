import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { faultCodeOf } from '#platform/failures.ts';
import { openStore } from '#store/database/connection.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';
import { connectionsAt, openLine } from './open-line.ts';

/** Single reads share one line here. The pool has connections beside it. */
const { url } = await createDatabase({ migrated: true });
const store = await openStore(url, 6, { lines: 1 });
afterAll(() => store.close());

const sleep = (seconds: number, db = store.reads) => sql`select pg_sleep(${seconds})`.execute(db);
const read = async (n: number): Promise<number> =>
  (await sql<{ n: number }>`select ${n}::int as n`.execute(store.reads)).rows[0]?.n ?? Number.NaN;

beforeEach(async () => void (await openLine(store)));

test('reads get their own answers, whatever the order, and columns and times as from the pool', async () => {
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  expect(await Promise.all(numbers.map(read))).toEqual(numbers);

  await queryAt(url, `insert into organisations (id, name) values (gen_random_uuid(), 'Acme')`);
  const rowOf = (db = store.reads) =>
    db.selectFrom('organisations').select(['id', 'name', 'createdAt']).executeTakeFirstOrThrow();
  const row = await rowOf();
  expect(row).toEqual(await rowOf(store.db));
  expect(row.createdAt).toBeInstanceOf(Date);
});

test('behind a slow read others wait until its time-out, and those that come later do not wait', async () => {
  const order: string[] = [];
  const slow = sleep(30).catch((error: unknown) => order.push(`slow: ${faultCodeOf(error)}`));
  const behind = read(1).then((n) => order.push(`behind: ${n}`));
  await pause(300);
  await read(2).then((n) => order.push(`later: ${n}`));

  await Promise.all([slow, behind]);
  expect(order).toEqual(['later: 2', 'slow: database_unavailable', 'behind: 1']);
  await openLine(store);
});

test('a read that Postgres refuses fails by itself', async () => {
  const reads = [read(1), sql`select 1 / 0`.execute(store.reads), read(3)];
  const [one, refused, three] = await Promise.allSettled(reads);
  expect(one).toMatchObject({ value: 1 });
  expect(refused).toMatchObject({ reason: { code: '22012' } });
  expect(three).toMatchObject({ value: 3 });
});

test('reads of a line whose connection ends are answered all the same, and the line opens again', async () => {
  const before = await openLine(store);
  const slow = sleep(0.5);
  const behind = Promise.all([read(1), read(2)]);
  await queryAt(url, `select pg_terminate_backend(${before})`);

  await slow;
  expect(await behind).toEqual([1, 2]);
  expect(await openLine(store)).not.toBe(before);
});

test('there are no more connections than the store may have, and a line begins no transaction', async () => {
  const busy = Array.from({ length: 12 }, () => sleep(0.2, store.db));
  await Promise.all([...busy, ...Array.from({ length: 50 }, (_, n) => read(n))]);
  expect(await connectionsAt(url)).toBe(6);
  expect(store.connections()).toMatchObject({ max: 6, used: 0, idle: 6 });
  await expect(store.reads.transaction().execute(async () => 1)).rejects.toThrow('no transactions');
});
