import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { consented } from '#test/support/people/consented.ts';
import { storedOf } from '../stored.ts';

const harness = await startHarness();
const { key } = await harness.key({ org: 'Bank <b>of</b> "Utopia"' });
const { json: verification } = await call(harness, 'POST', '/v1/verifications', {
  key,
  body: { sandbox: { auto_complete: false }, reference: 'geheim-7261' },
});
const { id } = verification;
const link = new URL(verification.verify_url).pathname;

const open = (path = link, language = 'nl') =>
  call(harness, 'GET', path, { headers: { 'accept-language': language } });

test('the link shows who asks for what; names are text, whatever they contain', async () => {
  const { status, text, headers } = await open();
  expect(status).toBe(200);
  expect(text).toContain('Bewijs wie u bent');
  expect(text).toContain('Bank &lt;b>of&lt;/b> &quot;Utopia&quot;');
  expect(text).not.toContain('<b>');
  expect(text).not.toContain('geheim-7261');
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
});

test('the page speaks the language that was chosen, else the browser’s, else Dutch', async () => {
  const title = async (path: string, language: string) =>
    /<html lang="(..)">.*<h1>([^<]+)/s.exec((await open(path, language)).text)?.slice(1);
  const dutch = ['nl', 'Bewijs wie u bent'];
  const english = ['en', 'Prove who you are'];
  expect(await title(link, 'nl-NL,nl;q=0.9,en;q=0.8')).toEqual(dutch);
  expect(await title(link, 'en-GB,en;q=0.9')).toEqual(english);
  expect(await title(link, 'de-DE')).toEqual(english);
  expect(await title(link, '*')).toEqual(dutch);
  expect(await title(`${link}?lang=en`, 'nl')).toEqual(english);
  expect(await title(`${link}?lang=xx`, 'nl')).toEqual(dutch);
});

test('the page loads from this service alone, is not cached, and cannot be framed', async () => {
  const { text, headers } = await open();
  expect(text).not.toMatch(/(src|href|action)="(https?:)?\/\//);
  expect(text).not.toMatch(/<(script|style)[^>]*>[^<]/);
  const policy = String(headers['content-security-policy']);
  for (const rule of [
    "default-src 'none'",
    "script-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['cache-control']).toBe('no-store');
  const loaded = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => path);
  expect(loaded.length).toBeGreaterThan(2);
  for (const path of loaded) expect((await open(`/verify/${path}`)).status, path).toBe(200);
});

test('on another device the code leads to the very same link', async () => {
  const { status, headers, text } = await open(`${link}/phone.svg`);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('image/svg+xml');
  expect(text).toContain('<svg');
});

test('opening the link changes nothing, because mail scanners open links too', async () => {
  await open();
  await call(harness, 'GET', link, { headers: { 'user-agent': 'link-preview' } });
  expect((await call(harness, 'GET', `/v1/verifications/${id}`, { key })).json.status).toBe('pending');
});

test('a forged, cut or unknown token gets one and the same 404 page, for every action', async () => {
  const token = link.split('/').at(-1) ?? '';
  const last = token.endsWith('A') ? 'B' : 'A';
  const forged = [token.slice(0, -1) + last, token.slice(0, -1), 'x', `${token}A`, 'A'.repeat(64), '%00'];
  const pages = await Promise.all(forged.map((each) => open(`/verify/${each}`)));
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 404));
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
  for (const action of ['start', 'picture?kind=selfie', 'specimen?kind=selfie', 'submit']) {
    const answers = await Promise.all(
      forged.map((each) => call(harness, 'POST', `/verify/${each}/${action}`)),
    );
    expect(
      answers.map(({ status }) => status),
      action,
    ).toEqual(answers.map(() => 404));
  }
});

test('a link that has expired says so, and nothing can be pressed any more', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  const path = new URL(json.verify_url).pathname;
  await storedOf(harness).expire(json.id);
  const { status, text } = await open(path, 'en');
  expect(status).toBe(200);
  expect(text).toContain('This link has expired');
  expect(text).not.toContain('<form');
  await call(harness, 'POST', `${path}/start`, { rawBody: consented });
  expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status).toBe('pending');
});

test('the link of a completed verification says thank you, and nothing can be pressed any more', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const read = () => call(harness, 'GET', `/v1/verifications/${json.id}`, { key });
  await expect.poll(async () => (await read()).json.status).toBe('completed');
  const { json: before } = await read();
  const path = new URL(json.verify_url).pathname;
  const { status, text } = await open(path, 'en');
  expect(status).toBe(200);
  expect(text).not.toContain('<form');
  for (const action of ['start', 'submit', 'picture'])
    await call(harness, 'POST', `${path}/${action}`, { rawBody: consented });
  expect((await read()).json).toEqual(before);
});
