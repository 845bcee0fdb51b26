import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
let link: string;
let id: string;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  key = (await harness.key()).key;
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  id = json.id;
  link = new URL(json.verify_url).pathname;
});
afterAll(() => harness.stop());

test('the link shows a page in Dutch and English that loads nothing from anywhere', async () => {
  const { status, text, headers } = await call(harness, 'GET', link);
  expect(status).toBe(200);
  expect(text).toContain('nog niet open');
  expect(text).toContain('not open yet');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['cache-control']).toBe('no-store');
});

test('opening it changes nothing: mail scanners open links too', async () => {
  await call(harness, 'GET', link);
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status).toBe('pending');
});

test('a forged, cut or unknown token gets one and the same 404 page', async () => {
  const token = link.split('/').at(-1) ?? '';
  const last = token.endsWith('A') ? 'B' : 'A';
  const pages = await Promise.all(
    [token.slice(0, -1) + last, token.slice(0, -1), 'x', `${token}A`, 'A'.repeat(64), '%00'].map((forged) =>
      call(harness, 'GET', `/verify/${forged}`),
    ),
  );
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 404));
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
});
