import { expect, test } from 'vitest';
import { newUuid } from '#platform/crypto/crypto.ts';
import { cancelCase } from '#services/verifications/cancel.ts';
import { eraseCase } from '#services/verifications/erase.ts';
import { renewLinkOfCase } from '#services/verifications/renew-link.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { asOwner } from '#test/support/people/as-member.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness();
const { key, organisationId } = await harness.key({ environment: 'live' });
const member = { id: newUuid() };
const owner = asOwner(member, organisationId, 'live');
const ctx = { ...harness.ctx, requestId: null, deadlineAt: Date.now() + 60_000 };

const create = async () =>
  (
    await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { method: 'document_only', reference: 'customer 7' },
    })
  ).json;
const get = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const linesOfMember = async (id: string) =>
  (
    await harness.rows<{ type: string }>`
      select type from ledger where subject_id = ${id}
      and data -> 'actor' = ${JSON.stringify({ kind: 'member', id: member.id })}::jsonb order by sequence`
  ).map(({ type }) => type);

test('a member cancels, gives a fresh link and erases; each is a line that names the member', async () => {
  const { id, verify_url } = await create();
  await cancelCase(ctx, owner, { id });
  expect((await person(harness, verify_url).look()).text).toMatch(/cancelled/i);
  await renewLinkOfCase(ctx, owner, { id });
  const fresh = (await get(id)).verify_url;
  expect(fresh).not.toBe(verify_url);
  expect((await person(harness, fresh).look()).status).toBe(200);
  await eraseCase(ctx, owner, { id });
  await eraseCase(ctx, owner, { id });
  expect((await get(id)).reference).toBeNull();
  expect(await linesOfMember(id)).toEqual([
    ...['verification.cancelled', 'verification.link_renewed', 'verification.erased'],
  ]);
});

test('a verification of another organisation or environment is unknown, and nothing is changed', async () => {
  const { id } = await create();
  const other = await harness.key({ org: 'Other', environment: 'live' });
  for (const foreigner of [
    asOwner(member, other.organisationId, 'live'),
    asOwner(member, organisationId, 'sandbox'),
  ])
    for (const act of [cancelCase, renewLinkOfCase, eraseCase])
      await expect(act(ctx, foreigner, { id })).rejects.toMatchObject({
        code: 'verification_not_found',
      });
  expect(await linesOfMember(id)).toEqual([]);
  expect((await get(id)).reference).toBe('customer 7');
});
