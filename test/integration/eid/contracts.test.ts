import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Issuer } from '#contract/eid.ts';
import { refreshIssuers } from '#services/eid/contracts.ts';
import { inspectHistory } from '#services/inspection/history.ts';
import { contractTimesOfAnyOrganisation } from '#store/organisations/eid-contracts.ts';
import { ended, runProgram } from '#test/integration/standalone/support.ts';
import { startHarness } from '#test/support/harness.ts';
import { keys } from '#test/support/people/idin.ts';
import { startSimulator } from '#worker/standalone/idin-simulator/server.ts';

const harness = await startHarness({ worker: false });
const simulator = await startSimulator({ keys, style: 'short', fault: null, port: 0 });
const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true });
});
const file = join(folder, 'contract.json');
writeFileSync(file, JSON.stringify(simulator.contract));
const { organisationId } = await harness.key({ org: 'Bank customer' });
await harness.key({ org: 'Neighbour' });

const program = new URL('../../../worker/commands/idin.ts', import.meta.url);
async function idin(...args: string[]) {
  const { exit, stdout, stderr } = await ended(
    runProgram(program, args, {
      DATABASE_URL: harness.databaseUrl,
      DATA_DIR: folder,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
  );
  expect(stdout + stderr).not.toContain('PRIVATE KEY');
  return { exit, stdout, stderr };
}
const contracts = () =>
  harness.rows<{ org_id: string; value: Buffer; issuers: Issuer[]; issuers_at: Date; simulated: boolean }>`
    select org_id, value, issuers, issuers_at, simulated from eid_contracts`;

describe('npm run idin', () => {
  test('keeps a contract that its acquirer answers, sealed and bound to its organisation', async () => {
    const { exit, stdout } = await idin('--org', 'Bank customer', '--contract', file);
    expect([exit, stdout]).toEqual([0, expect.stringMatching(/^Contract set. Banks: ./)]);
    const [stored, ...others] = await contracts();
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ org_id: organisationId, simulated: true });
    expect(stored?.value.toString('latin1')).not.toContain(simulator.contract.merchantId);
    const { secrets } = harness.ctx;
    const value = stored?.value ?? Buffer.alloc(0);
    expect(JSON.parse(secrets.open('eid-contract', `eid-contract/${organisationId}`, value))).toEqual(
      simulator.contract,
    );
    expect(() => secrets.open('eid-contract', 'eid-contract/another', value)).toThrow();
  });

  test('notes the change in the ledger without a value, and shows banks and certificate, never a key', async () => {
    const [line] = await harness.rows<{ data: object }>`
      select data from ledger where subject_id = ${organisationId} order by sequence desc limit 1`;
    expect(line?.data).toMatchObject({
      actor: { kind: 'operator' },
      changed: [{ setting: 'idin_contract' }],
    });
    expect(JSON.stringify(line)).not.toContain(simulator.contract.merchantId);
    const faults: string[] = [];
    await inspectHistory({ store: harness.store, roots: undefined }, (fault) => faults.push(fault));
    expect(faults).toEqual([]);
    const { exit, stdout } = await idin('--org', 'Bank customer');
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Certificate: until 20.*\nThe other side is the simulator.\nBanks, .*:\nSIMBNL2A /,
      ),
    ]);
    expect((await idin('--org', 'Neighbour')).stdout).toBe('No contract.\n');
    expect((await idin('--org', 'Nobody')).exit).toBe(69);
  });

  test('an acquirer that does not answer leaves the contract as it was', async () => {
    const before = await contracts();
    const away = { ...simulator.contract, directoryUrl: 'http://127.0.0.1:9/directory' };
    const other = join(folder, 'away.json');
    writeFileSync(other, JSON.stringify(away));
    const { exit, stderr } = await idin('--org', 'Bank customer', '--contract', other);
    expect(exit).toBe(69);
    expect(stderr).toContain('nothing was changed: unreachable');
    expect(await contracts()).toEqual(before);
  });
});

describe('the list of banks', () => {
  const other = [{ id: 'OTHENL2A', name: 'Another bank', country: 'Nederland' }];
  const asked: string[] = [];
  const refresh = (answer: () => Promise<Issuer[]>) =>
    refreshIssuers(
      harness.ctx,
      async (contract) => {
        asked.push(JSON.parse(contract).merchantId);
        return { works: true, issuers: await answer() };
      },
      new AbortController().signal,
    );
  const banks = async () => (await contracts())[0]?.issuers.map(({ id }) => id);
  const aDayPasses = () => harness.rows`update eid_contracts set issuers_at = now() - interval '25 hours'`;

  test('is asked for at most once a day', async () => {
    expect(await refresh(async () => other)).toEqual([]);
    expect(asked).toEqual([]);
    await aDayPasses();
    expect(await refresh(async () => other)).toEqual([]);
    expect(await refresh(async () => [])).toEqual([]);
    expect(asked).toEqual([simulator.contract.merchantId]);
    expect(await banks()).toEqual(['OTHENL2A']);
  });

  test('stays as it is while the acquirer does not answer, and is asked for again', async () => {
    await aDayPasses();
    const away = new Error('away');
    expect(await refresh(() => Promise.reject(away))).toEqual([
      { orgId: organisationId, reason: 'unusable contract', err: away },
    ]);
    expect(await banks()).toEqual(['OTHENL2A']);
    await refresh(async () => [...other, { id: 'THIRNL2A', name: 'Third', country: 'Nederland' }]);
    expect(await banks()).toEqual(['OTHENL2A', 'THIRNL2A']);
  });

  test('an answer that comes after the contract was replaced is dropped', async () => {
    await aDayPasses();
    await refresh(async () => {
      await harness.rows`update eid_contracts set changed_at = now() + interval '1 second'`;
      return [];
    });
    expect(await banks()).toEqual(['OTHENL2A', 'THIRNL2A']);
  });
});

test('the time that a certificate is valid yet is known, and negative when it is over', async () => {
  const left = async () => (await contractTimesOfAnyOrganisation(harness.store.db))?.certificateLeft;
  expect(await left()).toBeGreaterThan(0);
  await harness.rows`update eid_contracts set certificate_ends_at = now() - interval '1 hour'`;
  expect(await left()).toBeLessThan(-3_000);
});

test('a contract that is removed is gone, and nothing is counted', async () => {
  expect((await idin('--org', 'Bank customer', '--remove')).stdout).toBe('Contract removed.\n');
  expect(await contracts()).toEqual([]);
  expect(await contractTimesOfAnyOrganisation(harness.store.db)).toBeUndefined();
});
