import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bodyWithDocumentsBytesMax } from '#api/middleware/documents.ts';
import { limits } from '#contract/limits.ts';

/** The example of a proxy in docs/operations.md, whose log must not hold the token of a link. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const nginx = /```nginx\n(.*?)```/s.exec(page)?.[1] ?? '';
const [, pattern = '', replacement = ''] = /^\s*"~(\S+)"\s+(\S+);$/m.exec(nginx) ?? [];

/** Does what nginx does with the line of the map. Its patterns are those of Perl, of which this one uses what JavaScript has too. */
const logged = (path: string): string => {
  const groups = new RegExp(pattern).exec(path)?.groups;
  return groups === undefined ? path : replacement.replaceAll(/\$(\w+)/g, (_, name) => groups[name] ?? '');
};
const token = 'AaIIo3QicliPSSPfui1Olyy88Ruh-c48rfDpXky8rqTes0G5ujhpBC5HDNFkbfsy';

test.each([
  [`/verify/${token}`, '/verify/-'],
  [`/verify/${token}/picture?lang=en&kind=selfie`, '/verify/-/picture?lang=en&kind=selfie'],
  [`/verify/${token}?take=selfie`, '/verify/-?take=selfie'],
  [`/link/${token}`, '/link/-'],
  ['/v1/verifications?limit=5', '/v1/verifications?limit=5'],
])('of %s it logs %s', (path, expected) => {
  expect(logged(path)).toBe(expected);
});

test('its log has that path, and neither the request nor the address of the page before', () => {
  expect(nginx).toContain('map $request_uri $path_without_token {');
  const [format = ''] = /^log_format [^;]+;$/m.exec(nginx) ?? [];
  expect(format).toContain('$path_without_token');
  expect(format).not.toMatch(/\$(request|request_uri|uri|http_referer|args)\b/);
  expect(nginx).toMatch(/access_log \S+ without_token;/);
});

test('it takes the largest picture, and the largest body with documents', () => {
  const [, megabytes] = /client_max_body_size (\d+)m;/.exec(nginx) ?? [];
  const largest = Math.max(limits.pictureSizeBytesMax, bodyWithDocumentsBytesMax);
  expect(Number(megabytes) * 1_048_576).toBeGreaterThan(largest);
});
