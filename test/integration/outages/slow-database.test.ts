import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Db, openStore } from '#store/database/connection.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { expectAnswersInTime, type Stack, startStack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ status: 200 });
});
afterAll(() => stack.stop());

test.concurrent('with a database that takes 2 s for each answer requests end in time, and afterwards nothing is stuck', async () => {
  const { id } = (await stack.create()).json;
  stack.database.delayAnswers(2_000);
  const { keys, answers } = stack.createMany(10);
  const read = stack.get(`/v1/verifications/${id}`);
  const answered = await Promise.all([...answers, read]);
  stack.database.delayAnswers(0);
  expectAnswersInTime(answered);

  await stack.expectHealthy();
  await stack.expectOneEach(keys);
});

test.concurrent('a connection whose answer did not come in time is not used again: a later write is not lost in its open transaction', async ({
  onTestFinished,
}) => {
  await stack.rows`create table notes (text text)`;
  const note = (db: Db, text: string) => sql`insert into notes values (${text})`.execute(db);
  const proxy = await startProxy(stack.postgres.port);
  const url = new URL(stack.postgres.url);
  url.port = String(proxy.port);
  const store = await openStore(url.toString(), 1);
  onTestFinished(async () => {
    await store.close();
    proxy.stop();
  });
  // The answers come after the driver's `query_timeout` has ended the statement and also the rollback after it.
  const late = store.transaction(async (tx) => {
    await note(tx, 'rolled back');
    proxy.delayAnswers(6_500);
    await note(tx, 'late');
  });
  await expect(late).rejects.toThrow();
  proxy.delayAnswers(0);

  await note(store.db, 'kept');
  const rows = await stack.rows`select text from notes`;
  expect(rows).toEqual([{ text: 'kept' }]);
});

test('when every connection to the database breaks under load no answer is wrong, and the next requests succeed', async () => {
  const { keys, answers } = stack.createMany(20);
  await pause(150);
  stack.database.cut();
  expectAnswersInTime(await Promise.all(answers));

  await stack.expectHealthy();
  await stack.expectOneEach(keys);
});

test('API and worker start while the database is down, say so, and work as soon as it is there', async () => {
  for (const program of [stack.api, stack.worker]) program.signal('SIGTERM');
  await Promise.all([stack.api.exited, stack.worker.exited]);
  stack.database.down();
  await Promise.all([stack.startApi(), stack.startWorker()]);
  expect((await stack.get('/ready')).json).toMatchObject({ database: 'unreachable', temporal: 'ok' });
  const { keys, answers } = stack.createMany(3);
  const during = await Promise.all(answers);
  expect(during.map(({ status }) => status)).toEqual([503, 503, 503]);
  expectAnswersInTime(during);

  await stack.database.up();
  await stack.expectHealthy();
  await stack.expectOneEach(keys);
});
