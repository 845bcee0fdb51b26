import { expect, test } from 'vitest';
import { newUuid } from '#platform/crypto.ts';
import { cancelByMember, eraseByMember, renewLinkByMember } from '#services/verifications/by-member.ts';
import { scopeOfKey } from '#store/scope.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/person.ts';

const harness = await startHarness();
const { key, organisationId } = await harness.key({ environment: 'live' });
const member = { id: newUuid() };
const ctx = { ...harness.ctx, scope: scopeOfKey({ orgId: organisationId, environment: 'live' }) };

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
  await cancelByMember(ctx, member, id);
  expect((await person(harness, verify_url).look()).text).toMatch(/cancelled/i);
  await renewLinkByMember(ctx, member, id);
  const fresh = (await get(id)).verify_url;
  expect(fresh).not.toBe(verify_url);
  expect((await person(harness, fresh).look()).status).toBe(200);
  expect(await eraseByMember(ctx, member, id)).toBe(true);
  expect(await eraseByMember(ctx, member, id)).toBe(false);
  expect((await get(id)).reference).toBeNull();
  expect(await linesOfMember(id)).toEqual([
    ...['verification.cancelled', 'verification.link_renewed', 'verification.erased'],
  ]);
});

test('a verification of another organisation or environment is unknown, and nothing is changed', async () => {
  const { id } = await create();
  const other = await harness.key({ org: 'Other', environment: 'live' });
  for (const scope of [
    scopeOfKey({ orgId: other.organisationId, environment: 'live' }),
    scopeOfKey({ orgId: organisationId, environment: 'sandbox' }),
  ])
    for (const act of [cancelByMember, renewLinkByMember, eraseByMember])
      await expect(act({ ...ctx, scope }, member, id)).rejects.toMatchObject({
        code: 'verification_not_found',
      });
  expect(await linesOfMember(id)).toEqual([]);
  expect((await get(id)).reference).toBe('customer 7');
});
