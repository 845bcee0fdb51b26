import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { searchCheckout, secretsIn } from '#test/supply-chain/secrets.ts';
import { bytesOf } from '#test/support/seed.ts';

const random = (bytes: number) => bytesOf('a secret', bytes).toString('base64url');
const letters = (length: number) =>
  Array.from(bytesOf('letters', length), (byte) => 'ABCDEFGHJKLMNPQRSTUVWXYZ234567'[byte % 30]).join('');
/** A random value without a digit would be taken for an identifier. So each value begins with `Zm9v`, which has a digit. */
const assigned = (bytes: number) => `Zm9v${bytesOf('assigned', bytes).toString('base64')}`;
const planted: [string, string][] = [
  ['a private key', `-----BEGIN PRIVATE ${'KEY'}-----\n${bytesOf('a key', 48).toString('base64')}\n`],
  ['an API key of this service', newApiKey('live')],
  ['an API key of this service', newApiKey('sandbox')],
  ['a signing secret of this service', `whsec_${random(32)}`],
  ['a key of a cloud', `AKIA${letters(16)}`],
  ['a token of a code host', `ghp_${letters(36)}`],
  ['a token of a package registry', `npm_${letters(36)}`],
  ['a key of some service', `sk_live_${letters(24)}`],
  ['a JSON web token', `eyJ${random(12)}.eyJ${random(24)}.${random(32)}`],
  ['a secret that is assigned', `SECRETS_KEY=${assigned(32)}`],
  ['a secret that is assigned', `  "clientSecret": "${assigned(24)}",`],
];

test.each(planted)('%s is found', (what, text) => {
  expect(secretsIn('a file', `first line\n${text}\n`)).toContainEqual(
    expect.objectContaining({ place: 'a file', line: 2, what }),
  );
});

test('a text that only looks like a secret is passed over', () => {
  for (const text of [
    `svc_test_${'a'.repeat(39)}`,
    'svc_test_…',
    `whsec_${'A'.repeat(43)}`,
    'SECRETS_KEY=',
    'const secretsKey = Buffer.alloc(32, 7);',
    'passwordOfTheEmbeddedDatabase = readPasswordFile(dataDir)',
    '-----BEGIN PRIVATE KEY-----',
  ])
    expect({ text, found: secretsIn('a file', text) }).toEqual({ text, found: [] });
});

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@partner.example', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  git('init');
});
afterEach(() => rmSync(folder, { recursive: true }));

const commit = (file: string, text: string, message: string) => {
  writeFileSync(join(folder, file), text);
  git('add', file);
  git('commit', '-m', message);
};

test('one in a tracked file, one that a later commit took away, and one in a message are found, and not repeated', () => {
  const [kept, removed, said] = [newApiKey('live'), newApiKey('live'), newApiKey('live')];
  commit('kept.txt', kept, 'one');
  commit('removed.txt', removed, 'two');
  commit('removed.txt', 'nothing', `without ${said}`);
  const { finds, files, commits } = searchCheckout(folder, 100);
  expect({ files, commits }).toEqual({ files: 2, commits: 3 });
  expect(finds.map(({ place }) => place.replace(/ \w+$/, ''))).toEqual([
    'kept.txt',
    'commit',
    'commit',
    'commit',
    'commit',
  ]);
  for (const secret of [kept, removed, said])
    expect(JSON.stringify(finds)).not.toContain(secret.slice(9, 20));
});

test("what is not tracked is nobody's secret yet, and beyond the last commits nothing is searched", () => {
  commit('old.txt', newApiKey('live'), 'one');
  commit('old.txt', 'nothing', 'two');
  commit('old.txt', 'nothing more', 'three');
  writeFileSync(join(folder, 'local.txt'), newApiKey('live'));
  expect(searchCheckout(folder, 1).finds).toEqual([]);
});
