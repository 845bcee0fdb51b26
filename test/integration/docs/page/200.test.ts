import { request } from 'undici';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

async function get(path: string) {
  const { statusCode, headers, body } = await request(harness.url + path);
  return { status: statusCode, headers, text: await body.text() };
}

const typeOf: Record<string, string> = {
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
};

const loadedBy = (html: string) => [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);

test('/docs is a page without scripts that may load from us alone', async () => {
  const { status, headers, text } = await get('/docs');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive]),
  );
  expect(policy.get('default-src')).toBe("default-src 'none'");
  expect(policy.has('script-src')).toBe(false);
  for (const directive of policy.values()) expect(directive).not.toMatch(/http|\*|data:|eval|unsafe/);
  expect(text).not.toMatch(/<script|<style/);
  expect(text).not.toMatch(/<[^>]+ (?:on[a-z]+|style)=/);
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('a person who opens the address of the service is told where to go, in the language of the browser', async () => {
  const open = async (language: string) => {
    const answer = await fetch(`${harness.url}/`, {
      headers: { accept: browser, 'accept-language': language },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const { status, headers, text } = await open('nl-NL,nl;q=0.9,en;q=0.8');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).toContain('<html lang="nl">');
  expect(text).toContain('Open dan de link');
  expect(text).toContain('href="/docs"');
  expect((await open('de')).text).toContain('<html lang="en">');
});

test.each(['application/json', '*/*', undefined])(
  'a program that asks there for %s is told in JSON that nothing is there',
  async (accept) => {
    const { statusCode, headers, body } = await request(`${harness.url}/`, {
      headers: { ...(accept && { accept }) },
    });
    expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(await body.json()).toMatchObject({ error: { code: 'not_found' } });
  },
);

test('the page loads only files of ours, each with its own content type; the stylesheet is cached for good', async () => {
  const { text } = await get('/docs');
  const urls = loadedBy(text).filter((url) => !url.startsWith('#'));
  expect(urls.length).toBeGreaterThanOrEqual(3);
  for (const url of urls) {
    expect(url).toMatch(/^\/[^/]/);
    const { status, headers, text: body } = await get(url);
    expect([url, status]).toEqual([url, 200]);
    const type = typeOf[url.split('.').at(-1) ?? ''];
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(body.length).toBeGreaterThan(0);
  }
  const [stylesheet = ''] = urls.filter((url) => /\/style-[0-9a-f]{12}\.css$/.test(url));
  const { headers, text: style } = await get(stylesheet);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(style).not.toMatch(/url\(|@import/);
});
