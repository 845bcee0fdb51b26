import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { displayOfKey, hashApiKey, newApiKey } from '#platform/crypto/api-key.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { insertKey } from '#store/organisations/keys.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { revoke } from '#test/support/rows/keys.ts';

const harness = await startHarness({ worker: false });
const other = await harness.startApi();
let shiftMs = 0;
let passedMs = 0;
/** The clock of the cache stands still until a test changes `passedMs`. The clock of dates is the real time, moved by `shiftMs`. */
const clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + shiftMs),
  monotonicMs: () => 1_000 + passedMs,
};
const timeless = await harness.startApi({ clock });

/** Returns `ok`, or the code of the error. The path has no verification, so a valid key gets verification_not_found. */
async function ask(api: { url: string }, key: string): Promise<string> {
  const { json } = await call(api, 'GET', '/v1/verifications/x', { key });
  return json.error.code === 'verification_not_found' ? 'ok' : json.error.code;
}

test('a key that was in use stops working within 5 s of its revocation, in every process', async () => {
  covers('5/revoked-key');
  const { id, key } = await harness.key();
  expect([await ask(harness, key), await ask(other, key)]).toEqual(['ok', 'ok']);
  await revoke(harness.store, id);
  const revokedAtMs = performance.now();
  let lastAcceptedMs = 0;
  const askAgain = async (api: { url: string }) => {
    const sentAtMs = performance.now();
    const answer = await ask(api, key);
    if (answer === 'ok') lastAcceptedMs = sentAtMs - revokedAtMs;
    return answer;
  };
  for (const api of [harness, other])
    await expect.poll(() => askAgain(api), { timeout: 15_000, interval: 50 }).toBe('invalid_api_key');
  expect(lastAcceptedMs).toBeLessThan(5_000);
  expect([await ask(harness, key), await ask(other, key)]).toEqual(['invalid_api_key', 'invalid_api_key']);
});

test('a key is read once in 4 s, however often it is used; then its revocation shows', async () => {
  const { id, key } = await harness.key();
  expect(await ask(timeless, key)).toBe('ok');
  await revoke(harness.store, id);
  passedMs += 4_000;
  expect(await ask(timeless, key)).toBe('ok');
  passedMs += 1;
  expect(await ask(timeless, key)).toBe('invalid_api_key');
});

test('a key that expires is refused at that moment, however lately it was read', async () => {
  covers('5/expired-key');
  const { key } = await harness.key({ expiresAt: new Date(Date.now() + 3_600_000) });
  expect(await ask(timeless, key)).toBe('ok');
  shiftMs += 3_600_000;
  expect(await ask(timeless, key)).toBe('expired_api_key');
});

test('a key works from the moment that it is made, also when it was asked for before', async () => {
  const { organisationId, grants } = await harness.key();
  const key = newApiKey('sandbox');
  expect(await ask(timeless, key)).toBe('invalid_api_key');
  await insertKey(harness.store.db, {
    id: newUuid(),
    orgId: organisationId,
    environment: 'sandbox',
    name: null,
    display: displayOfKey(key),
    hash: hashApiKey(key),
    grants,
    rateLimit: null,
    expiresAt: null,
  }).execute();
  expect(await ask(timeless, key)).toBe('ok');
});
