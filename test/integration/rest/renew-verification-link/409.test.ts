import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();
const { key } = await harness.key();

const create = async (autoComplete: boolean) => {
  const body = { sandbox: { auto_complete: autoComplete } };
  return (await call(harness, 'POST', '/v1/verifications', { key, body })).json.id as string;
};
const post = (id: string, verb: string) => call(harness, 'POST', `/v1/verifications/${id}/${verb}`, { key });
const linkOf = async (id: string) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.verify_url;

test('a completed verification is already_completed and keeps its link', async () => {
  const id = await create(true);
  const before = await linkOf(id);
  const { status, json } = await post(id, 'link');
  expect([status, json.error.code]).toEqual([409, 'already_completed']);
  expect(await linkOf(id)).toBe(before);
});

test('an erased verification is erased, and stays cancelled', async () => {
  const id = await create(false);
  await post(id, 'erase');
  const { status, json } = await post(id, 'link');
  expect([status, json.error.code]).toEqual([409, 'erased']);
});

test('there is a last link', async () => {
  const id = await create(false);
  await harness.rows`update verifications set link_version = ${limits.linksPerVerificationMax} where id = ${id}`;
  const { status, json } = await post(id, 'link');
  expect([status, json.error.code]).toEqual([409, 'too_many_links']);
});
