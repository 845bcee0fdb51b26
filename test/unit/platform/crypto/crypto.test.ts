import { describe, expect, test } from 'vitest';
import {
  createDataKey,
  createSecrets,
  eventIdOf,
  isSameSecret,
  isSealedByDataKey,
  newPublicId,
  newUuid,
  newWebhookSecret,
  sha256,
} from '#platform/crypto/crypto.ts';

const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);

describe('ids', () => {
  test('a UUID is of version 7, so newer ones sort after older ones', async () => {
    const first = newUuid();
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(newUuid() > first).toBe(true);
  });

  test.each(['evt_', 'req_', 'dos_'] as const)('%s is followed by 26 characters', (prefix) => {
    expect(newPublicId(prefix)).toMatch(new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{26}$`));
  });

  test('the event of a verification always has the same id, which looks like any other and sorts by time', async () => {
    const [first, second] = ['01890a5d-ac96-774b-bcce-b302099a8057', newUuid()];
    const id = eventIdOf(first, 'verification.completed');
    expect(id).toMatch(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(eventIdOf(first, 'verification.completed')).toBe(id);
    expect(eventIdOf(first, 'verification.reviewed')).not.toBe(id);
    expect(eventIdOf(second, 'verification.completed') > id).toBe(true);
    expect(id.slice(0, 12)).toBe(eventIdOf(first, 'x').slice(0, 12));
  });

  test('a webhook secret is whsec_ and 32 random bytes in base64url', () => {
    expect(newWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  });

  test('no two are equal', () => {
    const made = Array.from({ length: 1_000 }, () => [newUuid(), newPublicId('evt_'), newWebhookSecret()]);
    expect(new Set(made.flat()).size).toBe(3_000);
  });
});

describe('a data key', () => {
  const key = createDataKey();
  const sealed = key.seal('evidence/1', 'of a person');

  test('opens again what it sealed, after a restart too, and nothing else does', () => {
    const again = createDataKey(key.bytes);
    expect(again.open('evidence/1', sealed).toString()).toBe('of a person');
    expect(() => createDataKey().open('evidence/1', sealed)).toThrow();
    expect(() => createSecrets([oldKey]).openBytes('evidence', 'evidence/1', sealed)).toThrow();
  });

  test('does not open a value of another row, or one that was changed', () => {
    expect(() => key.open('evidence/2', sealed)).toThrow();
    for (let at = 4; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => key.open('evidence/1', changed)).toThrow();
    }
  });

  test('marks its values, so they are told from those of SECRETS_KEY', () => {
    expect(isSealedByDataKey(sealed)).toBe(true);
    expect(isSealedByDataKey(createSecrets([oldKey]).seal('evidence', 'evidence/1', 'x'))).toBe(false);
  });
});

describe('sealing', () => {
  const secrets = createSecrets([oldKey]);
  const sealed = secrets.seal('webhook-secret', 'webhook/1', 'whsec_é');

  test('opens again to what was sealed', () => {
    expect(secrets.open('webhook-secret', 'webhook/1', sealed)).toBe('whsec_é');
    expect(secrets.open('stored-answer', '', secrets.seal('stored-answer', '', ''))).toBe('');
  });

  test('shows nothing of the text and is never the same twice', () => {
    expect(sealed.includes('whsec')).toBe(false);
    expect(secrets.seal('webhook-secret', 'webhook/1', 'whsec_é').equals(sealed)).toBe(false);
  });

  test('does not open for another row', () => {
    expect(() => secrets.open('webhook-secret', 'webhook/2', sealed)).toThrow();
  });

  test('does not open for another purpose', () => {
    expect(() => secrets.open('stored-answer', 'webhook/1', sealed)).toThrow();
  });

  test('does not open with another key, nor with its id forged', () => {
    const others = createSecrets([newKey]);
    expect(() => others.open('webhook-secret', 'webhook/1', sealed)).toThrow();
    const forged = Buffer.concat([Buffer.from(others.newestKeyId, 'hex'), sealed.subarray(4)]);
    expect(() => others.open('webhook-secret', 'webhook/1', forged)).toThrow();
  });

  test('does not open after a change of any byte, or cut short', () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => secrets.open('webhook-secret', 'webhook/1', changed)).toThrow();
    }
    for (const length of [0, 4, 16, 31, 32, sealed.length - 1])
      expect(() => secrets.open('webhook-secret', 'webhook/1', sealed.subarray(0, length))).toThrow();
  });

  test('does not open with a tag that was cut short', () => {
    const empty = secrets.seal('webhook-secret', 'webhook/1', '');
    expect(secrets.open('webhook-secret', 'webhook/1', empty)).toBe('');
    for (let length = 0; length < empty.length; length++)
      expect(() => secrets.open('webhook-secret', 'webhook/1', empty.subarray(0, length))).toThrow();
  });

  test('after a rotation what is older opens, and what is new is sealed with the new key', () => {
    const rotated = createSecrets([newKey, oldKey]);
    expect(rotated.open('webhook-secret', 'webhook/1', sealed)).toBe('whsec_é');
    const newer = rotated.seal('webhook-secret', 'webhook/1', 'x');
    expect(createSecrets([newKey]).open('webhook-secret', 'webhook/1', newer)).toBe('x');
    expect(() => secrets.open('webhook-secret', 'webhook/1', newer)).toThrow();
  });

  test('needs a key', () => {
    expect(() => createSecrets([])).toThrow();
  });
});

describe('proofs', () => {
  const secrets = createSecrets([newKey, oldKey]);
  const oldId = createSecrets([oldKey]).newestKeyId;

  test('of a key stay the same after a rotation, so links go on working', () => {
    const proof = createSecrets([oldKey]).mac('link-token', oldId, 'x');
    expect(secrets.mac('link-token', oldId, 'x').equals(proof)).toBe(true);
    expect(proof).toHaveLength(32);
  });

  test('differ by data, purpose and key', () => {
    const proofs = [
      secrets.mac('link-token', oldId, 'x'),
      secrets.mac('link-token', oldId, 'y'),
      secrets.mac('stored-answer', oldId, 'x'),
      secrets.mac('link-token', secrets.newestKeyId, 'x'),
    ].map((proof) => proof.toString('hex'));
    expect(new Set(proofs).size).toBe(4);
  });
});

test('secrets are the same if all of their bytes are, as text or as bytes', () => {
  expect(isSameSecret('secret', 'secret')).toBe(true);
  expect(isSameSecret('sécret', Buffer.from('sécret'))).toBe(true);
  for (const other of ['', 'secres', 'secre', 'secrets']) expect(isSameSecret('secret', other)).toBe(false);
});

test('SHA-256 is that of FIPS 180-4', () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc').toString('hex')).toBe(abc);
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(abc);
});
