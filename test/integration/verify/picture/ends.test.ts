import { expect, test } from 'vitest';
import { purgeExpired } from '#services/retention/purge.ts';
import { noChecks } from '#test/support/examiners/no-checks.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';

const harness = await startHarness({ documents: noChecks });
const { key } = await harness.key({ environment: 'live' });

const started = async () => {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  return { id: json.id as string, user };
};
const hoursLeft = async (id: string) => {
  const [row] = await harness.rows<{ hours: number }>`
    select round(extract(epoch from expires_at - now()) / 3600)::int as hours from evidence where verification_id = ${id}`;
  return row?.hours;
};
const purge = () =>
  purgeExpired(
    { store: harness.housekeepingStore, clock: harness.ctx.clock },
    { what: 'evidence', rowsMax: 25 },
  );

test('a picture that was not sent ends with the link, and goes although the verification stays', async () => {
  const { id } = await started();
  expect(await hoursLeft(id)).toBe(24);
  await harness.rows`update evidence set expires_at = now() - interval '1 second' where verification_id = ${id}`;
  expect(await purge()).toEqual({ rows: 1 });
  expect(await harness.rows`select 1 from evidence where verification_id = ${id}`).toEqual([]);
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).status).toBe(200);
});

test('a fresh link gives the pictures as long as itself', async () => {
  const { id } = await started();
  await harness.rows`
    update evidence set expires_at = now() + interval '1 hour' where verification_id = ${id}`;
  await call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
  expect(await hoursLeft(id)).toBe(24);
});

test('however often the link is renewed, a picture that nobody sends goes 48 hours after it was taken', async () => {
  const { id } = await started();
  const renew = async () => {
    const { json } = await call(harness, 'POST', `/v1/verifications/${id}/link`, { key });
    return person(harness, json.verify_url);
  };
  const takenAgo = (time: string) => harness.rows`
    update evidence set taken_at = now() - ${time}::interval where verification_id = ${id}`;
  await takenAgo('40 hours');
  await renew();
  expect(await hoursLeft(id)).toBe(8);
  await takenAgo('50 hours');
  const holder = await renew();
  expect(await hoursLeft(id)).toBe(-2);
  expect(await purge()).toEqual({ rows: 1 });
  expect(await harness.rows`select 1 from evidence where verification_id = ${id}`).toEqual([]);
  await holder.upload('passport_page', await anyPicture());
  expect(await hoursLeft(id)).toBe(24);
});

test('pictures that were sent are kept for 30 days', async () => {
  const { id, user } = await started();
  await user.submit();
  expect(await hoursLeft(id)).toBe(30 * 24);
});

test('an organisation that keeps pictures for 12 days has them that long', async () => {
  await harness.settings({ evidenceDays: 12 });
  const { id, user } = await started();
  await user.submit();
  expect(await hoursLeft(id)).toBe(12 * 24);
});
