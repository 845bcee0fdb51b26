import { describe, expect, test } from 'vitest';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { idInToken, isGenuine, verifyUrl } from '#services/views/link.ts';

const secrets = createSecrets([Buffer.alloc(32, 1)]);
const source = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  linkVersion: 1,
  linkKeyId: secrets.newestKeyId,
};
const publicUrl = 'https://id.example/kyc';
const tokenOf = (from: typeof source) => verifyUrl({ secrets, publicUrl }, from).split('/').at(-1) ?? '';
const token = tokenOf(source);

describe("a link's token", () => {
  test('ends the public url and is safe in it', () => {
    expect(verifyUrl({ secrets, publicUrl }, source)).toMatch(
      /^https:\/\/id\.example\/kyc\/verify\/[A-Za-z0-9_-]{64}$/,
    );
  });

  test('names its verification and is genuine', () => {
    expect(idInToken(token)).toBe(source.id);
    expect(isGenuine(secrets, token, source)).toBe(true);
  });

  test('is another for every verification, version and key', () => {
    const rotated = createSecrets([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
    expect(isGenuine(secrets, token, { ...source, linkVersion: 2 })).toBe(false);
    expect(isGenuine(secrets, token, { ...source, id: source.id.replace('0189', '0190') })).toBe(false);
    expect(isGenuine(rotated, token, { ...source, linkKeyId: rotated.newestKeyId })).toBe(false);
    expect(isGenuine(rotated, token, source)).toBe(true);
  });

  test('cannot be changed in any character', () => {
    for (let at = 0; at < token.length; at++) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect(isGenuine(secrets, changed, source)).toBe(false);
    }
  });

  test.each(['', 'x', token.slice(1), `${token}A`, `${token.slice(1)}=`, `${token.slice(1)}é`, `${token}\n`])(
    'in another form names nothing: %j',
    (text) => {
      expect(idInToken(text)).toBeUndefined();
    },
  );
});
