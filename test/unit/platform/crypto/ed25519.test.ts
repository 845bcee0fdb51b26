import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSigner } from '#platform/crypto/ed25519.ts';

test('a signature is that of RFC 8032, test 2', () => {
  const key = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
  expect(createSigner([key]).sign(Buffer.from('72', 'hex')).toString('hex')).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  );
});

const [older, newer, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
const data = Buffer.from('ends');

test('the newest key signs, every key of the list is accepted, and no other', () => {
  const both = createSigner([newer, older]);
  expect(both.sign(data)).toEqual(createSigner([newer]).sign(data));
  expect(both.fingerprint).toBe(createSigner([newer]).fingerprint);
  expect(both.verify(data, createSigner([older]).sign(data))).toBe(true);
  expect(both.verify(data, createSigner([foreign]).sign(data))).toBe(false);
  expect(both.verify(Buffer.from('Ends'), both.sign(data))).toBe(false);
});

test('openssl checks a signature with the public half', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ed25519-'));
  const signer = createSigner([newer]);
  const files = { data, signature: signer.sign(data), key: signer.publicKey };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const check = 'pkeyutl -verify -pubin -inkey key -rawin -in data -sigfile signature'.split(' ');
  expect(execFileSync('openssl', check, { cwd: folder, encoding: 'utf8' })).toContain('Successfully');
  rmSync(folder, { recursive: true });
});
