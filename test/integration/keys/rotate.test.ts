import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '#store/database/connection.ts';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import { call, type Harness, startHarness } from '#test/support/harness.ts';
import { makeKey, revoke, rotate } from '#test/support/rows/keys.ts';
import { holdRow, waitingForLocks } from '#test/support/servers/locks.ts';
import { wrongClock } from '#test/support/servers/wrong-clock.ts';

const hourMs = 3_600_000;
const harness: Harness = await startHarness({ worker: false });

const rowOf = async (id: string) => {
  const { hash: _, ...row } = await harness.store.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row;
};

async function rotated(id: string, overlapMs: number) {
  const rotation = await rotate(harness.store, id, overlapMs);
  if ('refused' in rotation) throw new Error(rotation.refused);
  return rotation;
}

/** The tolerance is a minute, since programs take a while to start and the machine may be busy. */
const withinAMinute = (at: Date | null, ms: number) =>
  expect(Math.abs((at?.getTime() ?? 0) - ms)).toBeLessThan(60_000);

const code = async (key: string) =>
  (await call(harness, 'GET', '/v1/verifications/x', { key })).json.error.code as string;

test('the successor can do what the old key can, and both work during the overlap', async () => {
  const expiresAt = new Date('2099-01-01T00:00:00Z');
  const old = await makeKey(harness.store, {
    organisation: 'Acme',
    environment: 'live',
    grants: ['verify:read'],
    name: 'back office',
    rateLimit: 7,
    expiresAt,
  });
  const before = await rowOf(old.id);
  const { successor, worksUntil } = await rotated(old.id, 24 * hourMs);

  const { id, display, createdAt, ...inherited } = await rowOf(successor.id);
  expect(inherited).toEqual({
    orgId: old.organisationId,
    environment: 'live',
    name: 'back office',
    grants: ['verify:read'],
    rateLimit: 7,
    expiresAt,
    revokedAt: null,
    replacedBy: null,
    lastUsedAt: null,
  });
  expect(await rowOf(old.id)).toEqual({ ...before, replacedBy: id, expiresAt: worksUntil });
  withinAMinute(worksUntil, Date.now() + 24 * hourMs);
  expect(successor.key).toMatch(/^svc_live_[0-9A-Za-z]{39}$/);
  expect(successor.key).not.toBe(old.key);
  expect([await code(old.key), await code(successor.key)]).toEqual([
    'verification_not_found',
    'verification_not_found',
  ]);
});

test('a key that was to end earlier ends earlier', async () => {
  const expiresAt = new Date(Date.now() + hourMs);
  const old = await harness.key({ expiresAt });
  const { successor, worksUntil } = await rotated(old.id, 24 * hourMs);
  expect(worksUntil).toEqual(expiresAt);
  expect(successor.expiresAt).toEqual(expiresAt);
});

test('without an overlap the old key is refused at once, when it was not in use', async () => {
  const old = await harness.key();
  const { successor } = await rotated(old.id, 0);
  expect(await code(old.key)).toBe('expired_api_key');
  expect(await code(successor.key)).toBe('verification_not_found');
});

test('of ten rotations at once one makes a successor', async () => {
  const { id, organisationId } = await harness.key({ org: 'Raced' });
  const holder = await holdRow(harness, 'api_keys', id);
  const patient = await openStore(harness.databaseUrl, 10, { statementTimeoutMs: 30_000 });
  onTestFinished(() => patient.close());
  const under = Array.from({ length: 10 }, () => rotate(patient, id, hourMs));
  await expect.poll(() => waitingForLocks(harness), { timeout: 20_000, interval: 20 }).toBe(10);
  await holder.release();
  const rotations = await Promise.all(under);
  const refused = rotations.flatMap((rotation) => ('refused' in rotation ? [rotation.refused] : []));
  expect(refused).toEqual(Array(9).fill('replaced'));
  const rows = await harness.rows<{ count: string }>`
    select count(*) as count from api_keys where org_id = ${organisationId}`;
  expect(rows).toEqual([{ count: '2' }]);
});

test('a key that does not work, or has a successor, cannot be rotated', async () => {
  const revoked = await harness.key();
  await revoke(harness.store, revoked.id);
  const expired = await harness.key({ expiresAt: new Date(Date.now() - 1_000) });
  const replaced = await harness.key();
  await rotated(replaced.id, hourMs);
  const refusalOf = async (id: string) => {
    const before = await countKeys();
    const rotation = await rotate(harness.store, id, hourMs);
    expect(await countKeys()).toBe(before);
    return rotation;
  };
  expect(await refusalOf(revoked.id)).toEqual({ refused: 'revoked' });
  expect(await refusalOf(expired.id)).toEqual({ refused: 'expired' });
  expect(await refusalOf(replaced.id)).toEqual({ refused: 'replaced' });
  expect(await refusalOf('01990000-0000-7000-8000-000000000000')).toEqual({ refused: 'unknown' });
});

async function countKeys(): Promise<number> {
  const rows = await harness.rows<{ count: number }>`select count(*)::int as count from api_keys`;
  return rows[0]?.count ?? 0;
}

describe('npm run keys -- rotate', () => {
  const program = new URL('../../../worker/commands/keys.ts', import.meta.url);
  let dataDir: string;
  beforeAll(() => {
    dataDir = newFolder();
  });

  const keys = (...args: string[]) => keysWith({}, ...args);
  async function keysWith(own: NodeJS.ProcessEnv, ...args: string[]) {
    const env = { DATABASE_URL: harness.databaseUrl, DATA_DIR: dataDir, ...own };
    return ended(runProgram(program, args, env));
  }

  test('shows the new key once on standard output, and the list tells what became of the old one', async () => {
    const old = await harness.key({ org: 'Rotating' });
    const { exit, stdout, stderr } = await keys('rotate', old.id, '--overlap', '7d', '--json');
    expect(exit).toBe(0);
    const made = JSON.parse(stdout);
    expect(made).toEqual({
      id: expect.not.stringContaining(old.id),
      key: expect.stringMatching(/^svc_test_[0-9A-Za-z]{39}$/),
      organisation_id: old.organisationId,
      environment: 'sandbox',
      scopes: old.grants,
      rate_limit: old.rateLimit,
      expires_at: null,
    });
    expect(stderr).not.toContain(made.key);
    expect(stderr).toContain(old.id);
    withinAMinute((await rowOf(old.id)).expiresAt, Date.now() + 7 * 24 * hourMs);

    const plain = await keys('rotate', made.id);
    expect(plain.stdout.trim()).toMatch(/^svc_test_[0-9A-Za-z]{39}$/);
    withinAMinute((await rowOf(made.id)).expiresAt, Date.now() + 24 * hourMs);

    const listed = JSON.parse((await keys('list', '--org', 'Rotating', '--json')).stdout);
    expect(listed).toEqual([
      expect.objectContaining({ id: old.id, state: 'replaced', replaced_by: made.id, last_used_at: null }),
      expect.objectContaining({ id: made.id, state: 'replaced', replaced_by: expect.any(String) }),
      expect.objectContaining({ id: listed[1].replaced_by, state: 'valid', replaced_by: null }),
    ]);
    const lines = (await keys('list', '--org', 'Rotating')).stdout;
    expect(lines).toMatch(new RegExp(`^${old.id} .* replaced until \\S+Z by ${made.id}  never used$`, 'm'));

    const again = await keys('rotate', old.id);
    expect(again).toMatchObject({ exit: 69, stdout: '' });
    expect(again.stderr).toBe('The key was rotated before: rotate its successor.\n');
  });

  test('a machine that is a day ahead lists and revokes keys by the clock of the database', async () => {
    const { id } = await harness.key({ org: 'Ahead', expiresAt: new Date(Date.now() + hourMs) });
    const dayAhead = wrongClock(24 * hourMs);
    const stateOf = async () =>
      JSON.parse((await keysWith(dayAhead, 'list', '--org', 'Ahead', '--json')).stdout)[0].state;
    expect(await stateOf()).toBe('valid');
    await keysWith(dayAhead, 'revoke', id);
    withinAMinute((await rowOf(id)).revokedAt, Date.now());
    expect(await stateOf()).toBe('revoked');
  });

  test.each(['24', '1w', '-1h', '31d', '721h', '1.5h', 'x'])('refuses an overlap of %s', async (overlap) => {
    const { id } = await harness.key({ org: 'Misused' });
    const { exit, stderr } = await keys('rotate', id, `--overlap=${overlap}`);
    expect(exit).toBe(64);
    expect(stderr).toContain('--overlap is not valid');
    expect((await rowOf(id)).replacedBy).toBeNull();
  });

  test('refuses a text that is not an id', async () => {
    expect(await keys('rotate', 'svc_test_x')).toMatchObject({ exit: 64, stdout: '' });
  });
});
