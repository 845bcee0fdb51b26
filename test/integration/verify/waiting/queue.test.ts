import { expect, test } from 'vitest';
import type { DocumentReader } from '#activities/checks/port.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { pageTexts } from '#test/support/people/texts.ts';

const { promise: examined, resolve: examine } = Promise.withResolvers<void>();
const documents: DocumentReader = {
  async check() {
    await examined;
    return { checks: [], read: null };
  },
  close: async () => undefined,
};
const harness = await startHarness({ documents });
const { key } = await harness.key({ environment: 'live' });
const { key: otherKey } = await harness.key({ environment: 'live', org: 'Other' });

async function sent(ofKey = key) {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: ofKey, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  await user.submit();
  return { user, id: json.id as string };
}

test('the page says how long it takes by the true length of the queue, of all organisations, and shorter as it moves', async () => {
  const { wait } = pageTexts.en.checking;
  const first = await sent();
  const others: Awaited<ReturnType<typeof sent>>[] = [];
  for (let other = 0; other < 5; other++) others.push(await sent(otherKey));
  const last = await sent();
  expect((await first.user.look()).text).toContain(wait('seconds'));
  expect((await last.user.look()).text).toContain(wait('half_minute'));
  // Who was erased or has been examined is not before anybody any more.
  for (const { id } of others)
    await harness.rows`update verifications set cancelled_at = now() where id = ${id}`;
  expect((await last.user.look()).text).toContain(wait('seconds'));
  for (const { id } of others)
    await harness.rows`update verifications set cancelled_at = null where id = ${id}`;
  examine();
  for (const { user } of [first, last, ...others])
    await expect.poll(async () => (await user.look()).text, { timeout: 60_000 }).toContain('Done');
});
