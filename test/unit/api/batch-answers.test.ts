import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { batchAnswers } from '#api/middleware/batch-answers.ts';

test('answers made in one turn of the event loop are sent when it ends, in the order in which they were made', async () => {
  const events: string[] = [];
  const answer = (name: string) =>
    batchAnswers({} as Context, async () => void events.push(`${name} made`)).then(() =>
      events.push(`${name} sent`),
    );
  const sent = [answer('first'), answer('second')];
  await new Promise(process.nextTick);
  events.push('turn goes on');
  await Promise.all(sent);
  expect(events).toEqual(['first made', 'second made', 'turn goes on', 'first sent', 'second sent']);
});

test('a failure is not held back', async () => {
  const failing = batchAnswers({} as Context, () => Promise.reject(new Error('down')));
  await expect(failing).rejects.toThrow('down');
});
