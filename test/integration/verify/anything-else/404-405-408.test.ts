import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, pictureForm } from '#test/support/people/picture.ts';
import { answersIn, head, openConnection } from '../../security/transport.ts';

const harness = await startHarness();
const { key } = await harness.key({ org: 'Told' });
await harness.settings({ contact: 'help@told.example' }, 'Told');
const created = async () => {
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  return (await call(harness, 'POST', '/v1/verifications', { key, body })).json;
};
const json = await created();
const path = new URL(json.verify_url).pathname;

type Method = Parameters<typeof call>[1];
const ask = (method: string, target: string, language = 'nl') =>
  call(harness, method as Method, target, { headers: { 'accept-language': language } });

/** A page in the language of the person, with a way to the other language. */
const expectPage = (
  { headers, text }: { headers: Record<string, unknown>; text: string },
  language = 'nl',
) => {
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).toContain(`<html lang="${language}">`);
  expect(text).toContain(`href="?lang=${language === 'nl' ? 'en' : 'nl'}`);
};

describe('below a link', () => {
  test.each(['nothing', 'start/more', 'phone.png', 'a/b/c/d'])(
    'an unknown path (%s) is a page that leads back to the verification',
    async (rest) => {
      const answer = await ask('GET', `${path}/${rest}`);
      expect(answer.status).toBe(404);
      expectPage(answer);
      expect(answer.text).toContain('Told');
      expect(answer.text).toContain('help@told.example');
      const [, href = ''] = /<a class="button" href="([^"]+)"/.exec(answer.text) ?? [];
      expect(new URL(href, `${harness.url}${path}/${rest}`).pathname).toBe(path);
      const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(answer.text) ?? [];
      expect(new URL(style, `${harness.url}${path}/${rest}`).pathname).toMatch(/^\/verify\/assets\/style\./);
    },
  );

  test.each(['PUT', 'DELETE', 'PATCH'])('%s is 405, with a page', async (method) => {
    for (const target of [path, `${path}/start`, `${path}/nothing`]) {
      const answer = await ask(method, target, 'en');
      expect(answer.status, target).toBe(405);
      expectPage(answer, 'en');
      expect(answer.headers.allow).toBeDefined();
    }
    expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key })).json.status).toBe('pending');
  });
});

test('a page that answers a form has no way to the other language, which its address cannot show', async () => {
  const { status, text } = await ask('POST', `${path}/nothing`);
  expect(status).toBe(404);
  expect(text).toContain('<html lang="nl">');
  expect(text).not.toContain('hreflang=');
});

test.each(['/verify', '/verify/'])('%s without a link is the page of an unknown link', async (target) => {
  const answer = await ask('GET', target);
  expect(answer.status).toBe(404);
  expectPage(answer);
  expect(answer.text).toContain('Deze link kennen wij niet');
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(answer.text) ?? [];
  expect(new URL(style, `${harness.url}${target}`).pathname).toMatch(/^\/verify\/assets\/style\./);
});

test('switching the language keeps what was being taken, and the fault', async () => {
  const { text } = await call(harness, 'GET', `${path}?lang=nl&take=card_front&fault=blurred`);
  expect(text).toContain('href="?lang=en&amp;take=card_front&amp;fault=blurred"');
  const strange = await call(harness, 'GET', `${path}?lang=nl&take=%22%3E%3Cb%3E&fault=x`);
  expect(strange.text).toContain('href="?lang=en"');
});

const limits = { headersMs: 400, requestMs: 900, idleMs: 300, checkEveryMs: 50, connectionsMax: 250 };

/** Announces a photo and returns its connection. */
async function sending(url: string, path: string, lang: string, bytes: number) {
  const connection = openConnection(Number(new URL(url).port));
  await connection.connected;
  const target = `${path}/picture?lang=${lang}&kind=passport_page`;
  const headers = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${bytes}`];
  connection.send(head({ method: 'POST', target, headers }));
  return connection;
}

test('a photo has the time that it needs, as long as its bytes keep coming', async () => {
  const { url, stop } = await harness.startApi({ connections: limits });
  const user = person(harness, (await created()).verify_url);
  await user.start();
  const form = await pictureForm(await anyPicture(), 'x.jpg');
  const body = form.body as Buffer;
  const [boundary = ''] = body.toString('latin1').split('\r\n');
  const connection = openConnection(Number(new URL(url).port));
  await connection.connected;
  const headers = [
    `Content-Type: multipart/form-data; boundary=${boundary.slice(2)}`,
    `Content-Length: ${body.length}`,
  ];
  connection.send(head({ method: 'POST', target: `${user.path}/picture?kind=passport_page`, headers }));
  const pieces = 40;
  const startedMs = performance.now();
  for (let piece = 0; piece < pieces; piece++) {
    const cut = (at: number) => Math.floor((at * body.length) / pieces);
    connection.send(body.subarray(cut(piece), cut(piece + 1)).toString('latin1'));
    await pause(70);
  }
  expect(performance.now() - startedMs).toBeGreaterThan(2.5 * limits.requestMs);
  await expect.poll(() => connection.received(), { timeout: 10_000 }).toContain('\r\n\r\n');
  const [answer] = answersIn(connection.received());
  expect([answer?.status, answer?.headers.get('location')]).toEqual([
    303,
    expect.not.stringContaining('fault'),
  ]);
  connection.socket.destroy();
  await stop();
});

test('a process that stood still blames no sender for its own pause', async () => {
  const { url, stop } = await harness.startApi({ connections: limits });
  const user = person(harness, (await created()).verify_url);
  await user.start();
  const connection = await sending(url, user.path, 'en', 1_000_000);
  await pause(2 * limits.checkEveryMs);
  for (let piece = 0; piece < 3; piece++) {
    connection.send('photo'.repeat(1_000));
    // No part of this process runs meanwhile. What was sent waits in the socket.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.requestMs + 100);
    await pause(limits.checkEveryMs);
  }
  expect(connection.received()).toBe('');
  connection.socket.destroy();
  await stop();
});

test('a photo that stops half-way ends as a page in the person’s language, with a way back', async () => {
  const { url, stop } = await harness.startApi({ connections: limits });
  const user = person(harness, (await created()).verify_url);
  await user.start();
  for (const [lang, sentence] of [
    ['nl', 'Uw foto of document is niet aangekomen'],
    ['en', 'Your photo or document did not arrive'],
  ] as const) {
    const connection = await sending(url, user.path, lang, 1_000_000);
    connection.send('photo'.repeat(1_000));
    await expect.poll(() => connection.hasEnded(), { timeout: 10_000 }).toBe(true);
    const [answer] = answersIn(connection.received());
    expect(answer?.status).toBe(408);
    const page = connection.received();
    expect(page).toMatch(/content-type: text\/html; charset=utf-8/i);
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(sentence);
    expect(page, 'the address of a form shows no page in another language').not.toContain('hreflang=');
    expect(page).toContain(`href="../${user.path.split('/').at(-1)}?lang=${lang}"`);
    connection.socket.destroy();
  }
  await stop();
});
