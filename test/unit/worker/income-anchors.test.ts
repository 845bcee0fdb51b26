import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { authority } from '#test/support/specimens/income/small/signing.ts';
import { readAnchors } from '#worker/process/income-anchors.ts';

const folder = mkdtempSync(join(tmpdir(), 'anchors-'));
const own = authority('Trusted authority');
afterAll(() => {
  own.end();
  rmSync(folder, { recursive: true });
});
const fileOf = (text: string) => {
  const file = join(folder, 'anchors.pem');
  writeFileSync(file, text);
  return { certificatesFile: file, signedTypes: [] };
};

test('every certificate of the file is trusted, whatever stands between them', () => {
  const pem = new X509Certificate(own.anchor).toString();
  expect(readAnchors(fileOf(`of somebody\n${pem}\nof somebody else\n${pem}`))).toEqual([
    own.anchor,
    own.anchor,
  ]);
  expect(readAnchors({ signedTypes: [] })).toEqual([]);
});

test.each([
  ['no certificate', 'nothing'],
  ['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
])('a file with %s stops the start, and its text is not repeated', (_, text) => {
  expect(() => readAnchors(fileOf(text))).toThrow(/^INCOME_TRUSTED_CERTIFICATES must be a file/);
});

test('a file that is not there stops the start', () => {
  expect(() => readAnchors({ certificatesFile: join(folder, 'none.pem'), signedTypes: [] })).toThrow(
    /^INCOME_TRUSTED_CERTIFICATES must be a file/,
  );
});
