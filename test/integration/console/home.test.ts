import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';

const harness = await startHarness();
const { url } = await harness.startConsole();

test.each([
  ['reviewer', '/review'],
  ['operator', '/operator'],
] as const)('a %s begins at %s, and has no other home', async (role, page) => {
  const { visitor } = await joins(harness, url, { role, org: 'At home' });
  expect((await visitor.get('/')).location).toBe(page);
  const { html } = await visitor.get(page);
  expect(html).toMatch(new RegExp(`<a href="${page}" aria-current="page">`));
  expect(html).not.toContain('<li><a href="/"');
});

test('the first steps of an organisation tick themselves, and go when all are done', async () => {
  const { visitor } = await joins(harness, url, { org: 'New' });
  const steps = async () => {
    const { html } = await visitor.get('/');
    const [, list = ''] = /<section class="first-steps".*?<ol>(.*?)<\/ol>/s.exec(html) ?? [];
    return [...list.matchAll(/<li(?: class="(done)")?>/g)].map(([, done]) => done ?? 'open');
  };
  const done = (count: number) => Array.from({ length: 6 }, (_, place) => (place < count ? 'done' : 'open'));
  expect(await steps()).toEqual(done(0));
  const made = await visitor.submit('/keys/new', '/keys/new', {
    ...{ name: 'shop', environment: 'sandbox', scopes: 'verify:create', never: 'yes' },
  });
  const [, request = ''] = /<output id="first-request"[^>]*>(.*?)<\/output>/s.exec(made.html) ?? [];
  const [, key = ''] = /Bearer ([\w-]+)/.exec(request) ?? [];
  expect(request).toContain(`${harness.ctx.publicUrl}/v1/verifications`);
  expect(await steps()).toEqual(done(1));
  expect(
    (await call(harness, 'POST', '/v1/verifications', { key, body: { reference: 'first try' } })).status,
  ).toBe(201);
  expect(await steps()).toEqual(done(2));
});
