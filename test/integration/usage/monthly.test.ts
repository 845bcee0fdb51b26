import { beforeAll, expect, test } from 'vitest';
import { monthlyUsage } from '#services/usage/monthly.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { completedIn } from './completed.ts';

const harness = await startHarness();

const completed = completedIn(harness);

let acme: string;
let other: string;
beforeAll(async () => {
  acme = (await harness.key({ org: 'Acme' })).organisationId;
  other = (await harness.key({ org: 'Other' })).organisationId;
  await harness.key({ org: 'Idle' });
  await completed(
    acme,
    'live',
    '2026-08-31T23:59:59.999Z',
    '2026-09-01T00:00:00Z',
    '2026-09-30T23:59:59.999Z',
    '2025-12-31T23:59:59.999Z',
    '2026-01-01T00:00:00Z',
  );
  await completed(acme, 'sandbox', '2026-08-15T12:00:00Z', '2026-09-15T12:00:00Z', '2026-10-15T12:00:00Z');
  await completed(other, 'live', '2026-09-15T12:00:00Z');
});

const charged = (organisationId: string, organisation: string) => (month: string, verifications: number) => ({
  organisationId,
  organisation,
  month,
  verifications,
});

test('live verifications are counted for each organisation in the month of UTC in which they were completed', async () => {
  const ofAcme = charged(acme, 'Acme');
  expect(await monthlyUsage(harness.store, {})).toEqual([
    ofAcme('2025-12', 1),
    ofAcme('2026-01', 1),
    ofAcme('2026-08', 1),
    ofAcme('2026-09', 2),
    charged(other, 'Other')('2026-09', 1),
  ]);
  expect(await monthlyUsage(harness.store, { month: '2026-09' })).toEqual([
    ofAcme('2026-09', 2),
    charged(other, 'Other')('2026-09', 1),
  ]);
  expect(await monthlyUsage(harness.store, { month: '2025-12', organisation: 'Acme' })).toEqual([
    ofAcme('2025-12', 1),
  ]);
  expect(await monthlyUsage(harness.store, { organisation: 'Idle' })).toEqual([]);
  expect(await monthlyUsage(harness.store, { organisation: 'Nobody' })).toBeUndefined();
});

test('sandbox is never charged, and neither is what is not completed', async () => {
  covers('1/sandbox-free');
  const [sandbox, live] = [
    await harness.key({ org: 'Trying', environment: 'sandbox' }),
    await harness.key({ org: 'Trying', environment: 'live' }),
  ];
  const done = await call(harness, 'POST', '/v1/verifications', { key: sandbox.key });
  expect(done.json.status).toBe('completed');
  const open = await call(harness, 'POST', '/v1/verifications', {
    key: sandbox.key,
    body: { sandbox: { auto_complete: false } },
  });
  const byCall = await call(harness, 'POST', `/v1/verifications/${open.json.id}/complete`, {
    key: sandbox.key,
  });
  expect(byCall.json.status).toBe('completed');
  const pending = await call(harness, 'POST', '/v1/verifications', { key: live.key });
  expect(pending.json.status).toBe('pending');
  expect(await monthlyUsage(harness.store, { organisation: 'Trying' })).toEqual([]);
});
