import { expect, test } from 'vitest';
import { noChecks } from '#test/support/examiners/no-checks.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { runEnds, runStatus } from '#test/support/rows/runs.ts';

const harness = await startHarness({ documents: noChecks });
const { key } = await harness.key({ environment: 'live' });

const create = (headers: Record<string, string> = {}) =>
  call(harness, 'POST', '/v1/verifications', { key, headers, body: { method: 'document_only' } });
const renew = (id: string) => call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
const cancel = (id: string) => call(harness, 'POST', `/v1/verifications/${id}/cancel`, { key });
const leftHours = async (id: string) => {
  const [row] = await harness.rows<{ hours: number }>`
    select extract(epoch from link_expires_at - now())::int / 3600.0 as hours from verifications where id = ${id}`;
  return Number(row?.hours);
};

test('the link before is unknown, like any forged one, and the new one opens the flow', async () => {
  const { json: created } = await create();
  const { status, json } = await renew(created.id);
  expect(status).toBe(200);
  expect({ ...json, verify_url: '' }).toEqual({ ...created, verify_url: '' });
  expect(json.verify_url).not.toBe(created.verify_url);
  const old = await person(harness, created.verify_url).look();
  expect(old.status).toBe(404);
  expect(old.text).toContain('We do not know this link');
  expect((await person(harness, json.verify_url).look()).text).toContain('Prove who you are');
  expect(await leftHours(created.id)).toBeGreaterThan(167);
});

test('a replay of the create repeats the link of that time', async () => {
  const headers = { 'idempotency-key': 'renewed' };
  const first = await create(headers);
  await renew(first.json.id);
  expect((await create(headers)).text).toBe(first.text);
});

test('who had started goes on with what was handed in, within a day', async () => {
  const { json: created } = await create();
  const user = person(harness, created.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  const { json } = await renew(created.id);
  const again = person(harness, json.verify_url);
  expect((await again.look()).text).toContain('Is everything right?');
  expect(await leftHours(created.id)).toBeLessThanOrEqual(24);
  await again.submit();
  await expect
    .poll(async () => (await call(harness, 'GET', `/v1/verifications/${created.id}`, { key })).json.status, {
      timeout: 60_000,
    })
    .toBe('completed');
});

test('a cancelled or expired verification is open again, and its flow can be walked', async () => {
  const { json: created } = await create();
  await cancel(created.id);
  await runEnds(harness, created.id);
  const { json } = await renew(created.id);
  const user = person(harness, json.verify_url);
  expect((await user.start()).text).toContain('Which document');
  expect(await runStatus(harness, created.id)).toBe('RUNNING');
  await harness.rows`update verifications set link_expires_at = now() - interval '1 hour' where id = ${created.id}`;
  expect((await user.look()).text).toContain('This link has expired');
  const fresh = person(harness, (await renew(created.id)).json.verify_url);
  expect((await fresh.look()).text).toContain('Which document');
});

test('a waiting run waits as long as the new link lasts', async () => {
  const { json: created } = await create();
  const handle = harness.temporal.workflow.getHandle(`verification/${created.id}`);
  const timers = async () => {
    const { events } = await handle.fetchHistory();
    return events?.filter(({ timerStartedEventAttributes: timer }) => timer).length;
  };
  await expect.poll(timers).toBe(1);
  await harness.rows`update verifications set link_expires_at = now() + interval '1 hour' where id = ${created.id}`;
  await renew(created.id);
  await expect.poll(timers).toBe(2);
});
