import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, type TestContext, test } from 'vitest';
import { freeze, whyNoFreezing } from '#test/support/servers/freeze.ts';
import { type Answer, expectAnswersInTime, startStack } from './stack.ts';

/** The shortest time for which the server hangs. It hangs longer if a read is still without an answer. */
const frozenMs = 20_000;

beforeEach((ctx) => {
  if (whyNoFreezing !== undefined) ctx.skip(whyNoFreezing);
});

/** Starts a product. `whileFrozen` freezes one of its servers for a time, under load before and during that time. */
async function loadedStack({ onTestFinished }: TestContext) {
  const stack = await startStack({ status: 200 });
  onTestFinished(stack.stop);
  const { id } = (await stack.create()).json;
  const keys: string[] = [];
  const creates: Promise<Answer>[] = [];
  const reads: Promise<Answer>[] = [];
  const load = (count: number) => {
    const more = stack.createMany(count);
    keys.push(...more.keys);
    creates.push(...more.answers);
    reads.push(stack.get(`/v1/verifications/${id}`));
  };

  return {
    ...stack,
    async whileFrozen(pid: number) {
      load(10);
      await pause(100);
      load(10);
      await Promise.all(reads.splice(0));
      const thaw = freeze(pid);
      for (const until = Date.now() + frozenMs; Date.now() < until; await pause(500)) load(1);
      // All reads must end while the server hangs. So a read that succeeds did not need that server.
      const answered = await Promise.all(reads);
      thaw();
      return { keys, creates: await Promise.all(creates), reads: answered };
    },
  };
}

test.concurrent('while Postgres hangs for 20 s requests end in 503 in time, and afterwards each key has its one verification', async (ctx) => {
  const stack = await loadedStack(ctx);
  const { keys, creates, reads } = await stack.whileFrozen(stack.postgres.pid);
  expectAnswersInTime([...creates, ...reads]);
  expect(creates.filter(({ status }) => status === 503).length).toBeGreaterThan(10);

  await stack.expectHealthy();
  await stack.expectOneEach(keys);
}, 100_000);

test.concurrent('while Temporal hangs for 20 s creates end in 503 in time and reads succeed, and afterwards each key has its one verification', async (ctx) => {
  const stack = await loadedStack(ctx);
  const { keys, creates, reads } = await stack.whileFrozen(stack.temporal.pid);
  expectAnswersInTime([...creates, ...reads]);
  expect(creates.filter(({ status }) => status === 503).length).toBeGreaterThan(10);
  expect(reads.length).toBeGreaterThan(10);
  expect(reads.filter(({ status }) => status !== 200)).toEqual([]);

  await stack.expectHealthy();
  await stack.expectOneEach(keys);
}, 100_000);
