import { request } from 'undici';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

async function get(path: string) {
  const { statusCode, headers, body } = await request(harness.url + path);
  return { status: statusCode, headers, text: await body.text() };
}

const typeOf: Record<string, string> = {
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
};

const loadedBy = (html: string) => [...html.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);

test('/docs is a page that may load from us alone and run no script of its own text', async () => {
  const { status, headers, text } = await get('/docs');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = new Map(
    String(headers['content-security-policy'])
      .split('; ')
      .map((directive) => [directive.split(' ')[0], directive]),
  );
  expect(policy.get('default-src')).toBe("default-src 'self'");
  expect(policy.has('script-src')).toBe(false);
  for (const directive of policy.values()) expect(directive).not.toMatch(/http|\*|data:|eval/);
  expect(text).not.toMatch(/<script(?![^>]* src=)/);
  expect(text).not.toMatch(/\son[a-z]+=/);
});

test('all that the page loads is served by us, as what it is, and the scripts for a while', async () => {
  const { text } = await get('/docs');
  const urls = loadedBy(text);
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
  const [scalar = ''] = urls.filter((url) => /\/scalar-\d+\.\d+\.\d+\.js$/.test(url));
  expect((await get(scalar)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test('neither the page nor what starts it names another host, and all that Scalar would send home is off', async () => {
  const start = await get('/docs/start.js');
  for (const { text } of [await get('/docs'), start]) expect(text).not.toMatch(/\/\/[a-z]/i);
  const [, options = ''] =
    /^Scalar\.createApiReference\('#reference', (.*)\);$/.exec(start.text.trim()) ?? [];
  expect(JSON.parse(options)).toMatchObject({
    url: '/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    proxyUrl: '',
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  });
});
