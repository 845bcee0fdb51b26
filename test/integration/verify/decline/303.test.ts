import { expect, test } from 'vitest';
import { Unavailable } from '#platform/failures.ts';
import { recordDecline } from '#services/flow/record-decline.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness();
const stored = storedOf(harness);
const partner = await startPartner(harness, { org: 'Offers', environment: 'live' }, { status: 200 });
await harness.settings({ offersOtherWay: true, contact: 'help@offers.example' }, 'Offers');
const { key: elsewhere } = await harness.key({ org: 'Offers nothing', environment: 'live' });

const created = async (method = 'document_liveness', key = partner.key) =>
  (await call(harness, 'POST', '/v1/verifications', { key, body: { method, reference: 'r' } })).json;
const read = async (id: string, key = partner.key) =>
  (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const asked = {
  outcome: 'review',
  assurance_level: 'low',
  reasons: ['The end user wants no photo of their face and asks for another way.'],
  reviewed: false,
};

test('who wants no photo of the face ends the flow as review, and the partner learns why', async () => {
  const { id, verify_url } = await created();
  const { text } = await person(harness, verify_url).decline();
  expect(text).toContain('You asked for another way');
  expect(text).toContain('help@offers.example');
  expect(await read(id)).toMatchObject({ status: 'completed', verdict: asked });
  const [sent] = await partner.receiver.waitFor(1);
  expect(JSON.parse(String(sent?.body))).toMatchObject({
    type: 'verification.completed',
    data: { verification_id: id, outcome: 'review', assurance_level: 'low', reasons: asked.reasons },
  });
  const [line] = await harness.rows`
    select data from ledger where subject_id = ${id} and type = 'verification.completed'`;
  expect(line?.data).toMatchObject({
    from: 'pending',
    trigger: 'other_way_asked',
    actor: { kind: 'person' },
    verdict: { outcome: 'review', reasons: ['other_way_asked'], checks: [] },
  });
});

test('nothing of what was handed in before is kept', async () => {
  const { id, verify_url } = await created();
  const user = person(harness, verify_url);
  await user.start();
  await user.upload('passport_page', await anyPicture());
  expect(await stored.evidence(id)).toHaveLength(1);
  await user.decline();
  expect(await stored.evidence(id)).toEqual([]);
  expect(await read(id)).toMatchObject({ status: 'completed', verdict: asked });
  const late = await call(harness, 'POST', `${user.path}/picture?kind=selfie`, { rawBody: 'late' });
  expect(late.status).toBe(303);
  expect(await stored.evidence(id)).toEqual([]);
});

test('pressed many times at once, it ends once and is told once', async () => {
  const { id, verify_url } = await created();
  const user = person(harness, verify_url);
  const page = await user.look();
  const pressed = await Promise.all(Array.from({ length: 6 }, () => user.press('decline', {}, page)));
  for (const { text } of pressed) expect(text).toContain('You asked for another way');
  expect(await stored.lines(id)).toEqual(['verification.created', 'verification.completed']);
  expect(await harness.rows`select id from events where verification_id = ${id}`).toHaveLength(1);
});

test.each([
  ['an organisation that offers no other way', 'document_liveness', elsewhere],
  ['a method without a face', 'document_only', partner.key],
])('%s shows no such button, and the address of it does nothing', async (_, method, key) => {
  const { id, verify_url } = await created(method, key);
  const user = person(harness, verify_url);
  expect((await user.look()).text).not.toContain('/decline?');
  expect((await call(harness, 'POST', `${user.path}/decline`)).status).toBe(303);
  expect((await read(id, key)).status).toBe('pending');
  expect(await harness.rows`select name from commands where verification_id = ${id}`).toEqual([]);
});

test('after Send there is no way back, not even for a command that was on its way', async () => {
  const { id, verify_url } = await created();
  const user = person(harness, verify_url);
  await user.start();
  await harness.rows`update verifications set submitted_at = now() where id = ${id}`;
  expect((await user.look()).text).not.toContain('/decline?');
  await call(harness, 'POST', `${user.path}/decline`);
  const [{ orgId } = { orgId: '' }] = await harness.rows<{ orgId: string }>`
    select org_id as "orgId" from verifications where id = ${id}`;
  const order = { verificationId: id, orgId, environment: 'live', requestId: 'req_late' } as const;
  await harness.rows`
    insert into commands (verification_id, request_id, name, data) values (${id}, 'req_late', 'decline', '{}')`;
  expect(await recordDecline(harness.ctx, order)).toMatchObject({ status: 'in_progress', submitted: true });
  expect(await stored.lines(id)).toEqual(['verification.created', 'verification.started']);
  await harness.rows`update verifications set submitted_at = null where id = ${id}`;
});

test('an order that no row asks for ends nothing', async () => {
  const { id } = await created();
  const [{ orgId } = { orgId: '' }] = await harness.rows<{ orgId: string }>`
    select org_id as "orgId" from verifications where id = ${id}`;
  const order = { verificationId: id, orgId, environment: 'live', requestId: 'req_forged' } as const;
  expect(await recordDecline(harness.ctx, order)).toMatchObject({ status: 'pending' });
  expect((await read(id)).status).toBe('pending');
});

test('with Temporal away nothing is lost: pressed again later, the flow ends', async () => {
  const { id, verify_url } = await created();
  const away = await harness.startApi({
    temporal: { ...harness.ctx.temporal, command: () => Promise.reject(new Unavailable('temporal')) },
  });
  expect((await person(away, verify_url).decline()).status).toBe(503);
  await away.stop();
  await person(harness, verify_url).decline();
  expect((await read(id)).verdict).toEqual(asked);
});

test('in sandbox it is as in live, whatever the scenario', async () => {
  const { key } = await harness.key({ org: 'Offers', environment: 'sandbox' });
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { scenario: 'rejected', auto_complete: false } },
  });
  const user = person(harness, json.verify_url);
  await user.start();
  await user.specimen('passport_page');
  expect((await user.look()).text).toContain('Ask for another way');
  await user.decline();
  expect((await read(json.id, key)).verdict).toEqual(asked);
});

test('the history of such verifications holds', async () => {
  const found: unknown[] = [];
  await inspectHistory({ store: harness.store, roots: undefined }, (...fault) => found.push(fault));
  expect(found).toEqual([]);
});
