import type { Context } from 'koa';
import { expect, test } from 'vitest';
import { sentTogether } from '#api/middleware/sent-together.ts';

test('answers of one turn leave when the turn ends, in the order in which they came to be', async () => {
  const events: string[] = [];
  const answer = (name: string) =>
    sentTogether({} as Context, async () => void events.push(`${name} made`)).then(() =>
      events.push(`${name} sent`),
    );
  const sent = [answer('first'), answer('second')];
  await new Promise(process.nextTick);
  events.push('turn goes on');
  await Promise.all(sent);
  expect(events).toEqual(['first made', 'second made', 'turn goes on', 'first sent', 'second sent']);
});

test('what fails, fails at once', async () => {
  const failing = sentTogether({} as Context, () => Promise.reject(new Error('down')));
  await expect(failing).rejects.toThrow('down');
});
