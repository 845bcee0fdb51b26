import { expect, test } from 'vitest';
import { type EvidenceKind, type Method, scenarios } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture } from '#test/support/people/picture.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness();
const stored = storedOf(harness);
const { key } = await harness.key();
const receiver = await startReceiver({ status: 200 });
await call(harness, 'POST', '/v1/webhooks', { key, body: { url: receiver.url } });

const created = async (method: Method, scenario = 'approved') =>
  (
    await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { method, reference: `${method} ${scenario}`, sandbox: { auto_complete: false, scenario } },
    })
  ).json;
const read = async (id: string) => (await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json;
const eventOf = async (id: string) => {
  const find = () =>
    receiver.received
      .map(({ body }) => JSON.parse(String(body)))
      .find(({ data }) => data.verification_id === id);
  await expect.poll(find).toBeDefined();
  return find();
};

const ways: [Method, EvidenceKind[]][] = [
  ['document_only', ['passport_page']],
  ['document_only', ['card_front', 'card_back']],
  ['document_liveness', ['card_front', 'card_back', 'selfie', 'movements']],
  ['idin', ['bank']],
];

test.each(ways)(
  'by %s with %j, a tester walks from pending over in_progress to completed',
  async (method, kinds) => {
    covers('1/end-user-completes-the-flow');
    const { id, verify_url } = await created(method);
    const tester = person(harness, verify_url);
    expect((await tester.look()).text).toContain('Test environment');
    expect((await read(id)).status).toBe('pending');

    await tester.start();
    expect((await read(id)).status).toBe('in_progress');
    for (const kind of kinds) expect((await tester.specimen(kind)).status).toBe(200);
    expect((await read(id)).status).toBe('in_progress');

    await tester.submit();
    await expect.poll(async () => (await read(id)).status).toBe('completed');
    expect((await tester.look()).text).toContain('Done');
  },
);

test.each(scenarios)(
  'the verdict is the scenario %s that was asked for, and its event is sent',
  async (scenario) => {
    const { id, verify_url } = await created('document_only', scenario);
    const tester = person(harness, verify_url);
    await tester.start();
    await tester.specimen('passport_page');
    await tester.submit();
    await expect.poll(async () => (await read(id)).verdict?.outcome).toBe(scenario);
    expect(await eventOf(id)).toMatchObject({
      type: 'verification.completed',
      data: { outcome: scenario, reference: `document_only ${scenario}` },
    });
  },
);

test('a real photo that is sent to the sandbox is checked and not kept', async () => {
  const { id, verify_url } = await created('document_only');
  const tester = person(harness, verify_url);
  await tester.start();
  expect((await tester.upload('passport_page', Buffer.from('no photo'))).text).toContain('not a photo');
  expect((await tester.upload('passport_page', await anyPicture())).text).toContain('Is everything right?');
  expect(await stored.evidence(id)).toEqual([{ kind: 'passport_page', picture: null, sha256: null }]);
});
