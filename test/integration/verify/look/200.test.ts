import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key({ org: 'Blue' });
const { key: plain } = await harness.key({ org: 'Plain' });

const linkOf = async (withKey: string) => {
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  return (await call(harness, 'POST', '/v1/verifications', { key: withKey, body })).json.verify_url as string;
};
const look = async (withKey: string) => (await person(harness, await linkOf(withKey)).look()).text;
const get = (path: string, headers: Record<string, string> = {}) =>
  call(harness, 'GET', `/verify/${path}`, { headers });

describe('the colour of an organisation', () => {
  test('comes as a style sheet of its own, which a browser keeps for good', async () => {
    await harness.settings({ colour: '#ffd400' }, 'Blue');
    const text = await look(key);
    const [, path = ''] = /href="(assets\/accent-ffd400\.[0-9a-f]{12}\.css)"/.exec(text) ?? [];
    const { status, headers, text: style } = await get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/css; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(style).toContain('--accent:#ffd400;--accent-ink:#000000');
    expect(text).not.toMatch(/style=|<style/);
  });

  test('stays away where none is set; no other name makes a style sheet', async () => {
    expect(await look(plain)).not.toContain('accent-');
    for (const name of ['accent-red.css', 'accent-ffd40.css', 'accent-ffd400%7D.css', 'accent-.css'])
      expect((await get(`assets/${name}`)).status, name).toBe(404);
  });

  test('cannot be a text that would reach a style sheet, even if the database is asked directly', async () => {
    await expect(
      harness.rows`update organisations set colour = 'red}body{x' where name = 'Plain'`,
    ).rejects.toThrow(/organisations_colour/);
  });
});

describe('the logo of an organisation', () => {
  const drawn = (background: string) =>
    sharp({ create: { width: 300, height: 90, channels: 4, background } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .webp()
      .toBuffer();

  test('is on the page from our own origin, drawn anew, under an address of its own', async () => {
    const upload = await drawn('#0a5c8a');
    expect(await harness.logo(upload, 'Blue')).toBeUndefined();
    const [, first = ''] = /src="(logos\/[0-9a-f]{64}\.png)"/.exec(await look(key)) ?? [];
    const answer = await call(harness, 'GET', `/verify/${first}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('image/png');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.text).not.toContain('somebody');

    await harness.logo(await drawn('#a3261c'), 'Blue');
    expect(await look(key)).not.toContain(first);
    expect((await get(first)).status).toBe(404);
    await harness.logo(null, 'Blue');
    expect(await look(key)).not.toContain('logos/');
  });

  test('is never the bytes of an upload: SVG, HTML and broken pictures are refused', async () => {
    for (const upload of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<html>', '\x89PNG\r\n\x1a\nbroken'])
      expect(await harness.logo(Buffer.from(upload, 'latin1'), 'Blue')).toBe('not_a_picture');
  });

  test.each([
    'x.png',
    `${'0'.repeat(64)}.png`,
    `${'0'.repeat(63)}.png`,
    `${'A'.repeat(64)}.png`,
    '..%2f.png',
  ])('an address that is none (%s) is 404', async (name) => {
    expect((await get(`logos/${name}`)).status).toBe(404);
  });
});

describe('the files of the pages', () => {
  const style = async () => /href="(assets\/style\.[0-9a-f]{12}\.css)"/.exec(await look(plain))?.[1] ?? '';

  test('come compressed, and a browser keeps them for good', async () => {
    const path = await style();
    const plainly = await get(path, { 'accept-encoding': 'identity' });
    expect(plainly.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(plainly.headers['content-encoding']).toBeUndefined();
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
    ]) {
      const { headers } = await get(path, { 'accept-encoding': `${accepted}` });
      expect(headers['content-encoding']).toBe(encoding);
      expect(Number(headers['content-length'])).toBeLessThan(plainly.text.length / 2);
    }
  });

  test('are served under another version’s name too, but then not kept', async () => {
    const other = (await style()).replace(/\.[0-9a-f]{12}\./, '.0123456789ab.');
    const { status, headers } = await get(other);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  });

  test('weigh at most 100 KB with the first page, before any compression', async () => {
    const text = await look(plain);
    const paths = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => `${path}`);
    const sizes = await Promise.all(
      paths.map(async (path) => (await get(path, { 'accept-encoding': 'identity' })).text.length),
    );
    expect(sizes.reduce((sum, size) => sum + size, text.length)).toBeLessThan(100 * 1024);
  });
});
