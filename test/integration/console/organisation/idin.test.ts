import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { IdinContract } from '#activities/eid/idin/contract.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { joins, sendContract, type Visitor } from '#test/support/people/console.ts';
import { keys, simulatedBanks } from '#test/support/people/idin.ts';
import { makePair } from '#worker/standalone/idin-simulator/keys.ts';

const { banks, simulator } = await simulatedBanks();
const harness = await startHarness({ worker: false, banks });
const { url } = await harness.startConsole({ mayUseLoopback: true });
const live = await harness.key({ environment: 'live' });
const owner = await joins(harness, url, { role: 'owner' });
const contract: IdinContract = JSON.parse(simulator.text);
const path = '/organisation/idin';

const stored = () =>
  harness.rows<{ value: Buffer }>`select value from eid_contracts where org_id = ${live.organisationId}`;
const lines = () =>
  harness.rows<{ data: { actor: object; changed: object[] } }>`
    select data from ledger where subject_id = ${live.organisationId} and type = 'organisation.changed'
    order by sequence`;

const send = (from: Visitor, content: string, site = url) => sendContract(site, from, content);
const create = () => call(harness, 'POST', '/v1/verifications', { key: live.key, body: { method: 'idin' } });

beforeEach(() => harness.rows`delete from eid_contracts`);

test('an owner sets, replaces and removes the contract; each change is a line that names the member and no value', async () => {
  expect((await create()).status).toBe(422);
  const before = (await lines()).length;
  expect((await owner.visitor.get(path)).html).toContain('There is no contract.');
  expect((await send(owner.visitor, simulator.text)).status).toBe(303);
  expect((await create()).status).toBe(201);
  const [first] = await stored();
  expect((await send(owner.visitor, JSON.stringify({ ...contract, subId: 1 }))).status).toBe(303);
  const [second] = await stored();
  expect(first?.value.equals(second?.value ?? Buffer.alloc(0))).toBe(false);

  const removed = await owner.visitor.submit(path, `${path}/remove`, {});
  expect(removed.location).toBe(`${path}?notice=saved`);
  expect(await stored()).toEqual([]);
  const added = (await lines()).slice(before).map(({ data }) => data);
  expect(added).toHaveLength(3);
  for (const data of added)
    expect(data).toMatchObject({
      actor: { kind: 'member', id: owner.memberId },
      changed: [{ setting: 'idin_contract' }],
    });
  expect(JSON.stringify(added)).not.toMatch(/0099000001|PRIVATE KEY|directory/);
});

test('the page shows banks and the end of the certificate, and never a key or an address, in both languages', async () => {
  await send(owner.visitor, simulator.text);
  for (const [language, says] of [
    ['en', 'Every verdict'],
    ['nl', 'elk oordeel'],
  ] as const) {
    await owner.visitor.submit('/account', '/account/preferences', { language, time_zone: 'UTC' });
    const { html } = await owner.visitor.get(path);
    expect(html.toLowerCase()).toContain(says.toLowerCase());
    expect(html).toContain('Simulated Bank A, Simulated Bank B');
    for (const value of [contract.merchantId, contract.legalId, contract.directoryUrl, 'BEGIN '])
      expect(html.includes(value), value).toBe(false);
  }
  await owner.visitor.submit('/account', '/account/preferences', { language: 'en', time_zone: 'UTC' });
  await harness.rows`update eid_contracts set certificate_ends_at = now() + interval '10 days 1 hour'`;
  expect((await owner.visitor.get(path)).html).toContain('over in 10 days');
  await harness.rows`update eid_contracts set certificate_ends_at = now() - interval '1 hour'`;
  expect((await owner.visitor.get(path)).html).toContain('idin does not work');
});

test('a contract that cannot be used changes nothing, and no value of it is shown', async () => {
  await send(owner.visitor, simulator.text);
  const [before, noted] = [await stored(), (await lines()).length];
  const over = await makePair('A merchant of yesterday', -1);
  const otherKey = generateKeyPairSync('rsa', {
    ...{ modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
  const given: [object | string, string][] = [
    ['{"merchantId": "secret', 'the file: '],
    [{ ...contract, merchantId: 'secret' }, 'merchantId: must be 10 digits'],
    [{ ...contract, privateKey: otherKey }, 'privateKey: must be the unencrypted PEM key'],
    [{ ...contract, statusUrl: 'https://acquirer.example/status' }, 'statusUrl: must be on loopback'],
    [{ ...contract, directoryUrl: 'http://10.0.0.1/' }, 'directoryUrl: must be an https address'],
    [{ ...contract, ...over }, 'The certificate in the file is over'],
    [{ ...contract, acquirerCertificates: [keys.bank.certificate] }, 'nothing was changed (outer_signature)'],
    ['', 'Choose a file'],
  ];
  for (const [content, says] of given) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const { status, html } = await send(owner.visitor, text);
    expect([status, html]).toEqual([422, expect.stringContaining(says)]);
    expect(html).not.toMatch(/PRIVATE KEY|secret/);
  }
  expect(await stored()).toEqual(before);
  expect(await lines()).toHaveLength(noted);
});

test('who is not at their own machine can name no address of it', async () => {
  const elsewhere = await harness.startConsole();
  const { visitor } = await joins(harness, elsewhere.url, { role: 'owner' });
  const { status, html } = await send(visitor, simulator.text, elsewhere.url);
  expect([status, html]).toEqual([422, expect.stringContaining('lead to this computer')]);
  expect(await stored()).toEqual([]);
});

test('an auditor sees the contract and no form', async () => {
  await send(owner.visitor, simulator.text);
  const { visitor } = await joins(harness, url, { role: 'auditor' });
  const { status, html } = await visitor.get(path);
  expect([status, html]).toEqual([200, expect.stringContaining('Only an owner can change this.')]);
  expect(html).not.toContain(`action="${path}`);
  expect((await send(visitor, simulator.text)).status).toBe(403);
});
