import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { codeOf, goodPassword, joins, newVisitor, type Page } from '#test/support/people/console.ts';

/** Who has to sign in first comes to the page that they wanted. */

const harness = await startHarness({ worker: false });
const { url } = await harness.startConsole();
const owner = await joins(harness, url);
const auditor = await joins(harness, url, { role: 'auditor' });
let visitors = 0;
const visitor = () => newVisitor(url, `198.51.100.${++visitors}`);
const credentials = { email: auditor.email, password: goodPassword };

const actionOn = ({ html }: Page): string =>
  (/<form method="post" action="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

/** Follows the answer of a page to the sign-in, and signs in. */
async function signsInAfter(path: string) {
  const who = visitor();
  const location = (await who.get(path)).location ?? '';
  return who.submit(location, actionOn(await who.get(location)), credentials);
}

test.each(['/log?kind=keys&by=operator', `/verifications/${randomUUID()}`])(
  '%s is where the sign-in leads',
  async (path) => {
    expect((await signsInAfter(path)).location).toBe(path);
  },
);

test('with a second factor it is where the code leads, in the language that was chosen', async () => {
  const who = visitor();
  const location = (await who.get('/keys/new')).location ?? '';
  const { html } = await who.get(location);
  const other = /<a [^>]*href="(\?[^"]*lang=nl[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const path = `/sign-in${other}`;
  const dutch = await who.get(path);
  expect(dutch.html).toContain('lang="nl"');
  const action = actionOn(dutch);
  const code = await who.submit(path, action, { email: owner.email, password: goodPassword });
  expect(code.location).toMatch(/^\/sign-in\/code\?/);
  const form = actionOn(await who.get(code.location ?? ''));
  const given = await who.submit(code.location ?? '', form, { code: codeOf(owner.secret as Buffer, 1) });
  expect(given.location).toBe('/keys/new');
});

test.each([
  ['/review/1/decide', '/review/1'],
  ['/members/1/disable', '/members/1'],
  ['/webhooks/1/resend-failed', '/webhooks/1'],
  ['/account/preferences', '/account'],
  ['/keys/new', '/keys/new'],
])('a form that is sent to %s after the session ended leads to %s', async (path, page) => {
  const { status, location } = await visitor().post(path);
  expect([status, location]).toEqual([303, `/sign-in?${new URLSearchParams({ next: page })}`]);
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example'])(
  'nobody is led to %s',
  async (place) => {
    const path = `/sign-in?${new URLSearchParams({ next: place })}`;
    const who = visitor();
    expect((await who.get(path)).html).not.toContain('evil.example');
    expect((await who.submit(path, path, credentials)).location).toBe('/');
    expect((await who.get(path)).location).toBe('/');
  },
);
