import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '#contract/enums.ts';
import { monthlyUsage } from '#services/usage/monthly.ts';
import { newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { covers } from '#test/requirements.ts';
import { fillVerifications } from '#test/support/fill.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();

/** Creates one completed verification for each of these moments. */
async function completed(orgId: string, environment: Environment, ...moments: string[]): Promise<void> {
  await fillVerifications(harness.ctx, { orgId, environment, count: moments.length });
  await harness.rows`
    update verifications set completed_at = (${moments}::timestamptz[])[numbered.n]
    from (
      select id, row_number() over () as n from verifications where org_id = ${orgId} and environment = ${environment}
    ) as numbered
    where verifications.id = numbered.id`;
}

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

describe('npm run usage', () => {
  const program = new URL('../../../worker/commands/usage.ts', import.meta.url);
  const dataDir = newFolder();

  async function usage(...args: string[]) {
    const run = runProgram(program, args, { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir });
    const [exit, stdout, stderr] = await Promise.all([run.code, run.stdout, run.stderr]);
    return { exit, stdout, stderr };
  }

  test('prints a line, or an object, for each organisation and month', async () => {
    const asJson = await usage('--org', 'Acme', '--month', '2026-09', '--json');
    expect(asJson.exit).toBe(0);
    expect(JSON.parse(asJson.stdout)).toEqual([
      { organisation: 'Acme', organisation_id: acme, month: '2026-09', verifications: 2 },
    ]);
    expect((await usage('--month', '2026-09')).stdout).toBe(
      `2026-09  2  ${acme}  Acme\n2026-09  1  ${other}  Other\n`,
    );
    expect(await usage('--org', 'Idle')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'No live verification was completed.\n',
    });
  });

  test('an unknown organisation is an error, not an empty invoice', async () => {
    const { exit, stderr } = await usage('--org', 'Acmee');
    expect([exit, stderr]).toEqual([69, 'There is no organisation of that name.\n']);
  });

  test.each([
    ['--month', '2026-13'],
    ['--month', '2026-9'],
    ['--months', '2026-09'],
  ])('refuses %s %s', async (...args) => {
    expect(await usage(...args)).toMatchObject({ exit: 64, stdout: '' });
  });
});
