import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { bytesOfKey, codeOf, goodPassword, pathOfInvitation } from '../../support/people/console.ts';
import { folder, look, startConsoleInBrowser } from './console.ts';

const harness = await startHarness({ worker: false });
const { url, visit } = await startConsoleInBrowser(harness);

const heading = (page: Page) => page.textContent('h1');
const send = (page: Page, action: string) =>
  Promise.all([
    page.waitForURL(/./),
    page.click(`form[action="${action}"] button`),
    page.waitForEvent('load'),
  ]);

/** Accepts an invitation as owner, with a second factor. Returns the secret of the authenticator app. */
async function join(email: string, options: BrowserContextOptions, name: string) {
  const path = await pathOfInvitation(harness, 'Acme Insurance', { email, role: 'owner' });
  const { page, surprises } = await visit(path, options);
  await look(page, `${name}-link`);
  await page.fill('#password', 'short');
  await send(page, path);
  expect(await page.textContent('#password-fault')).toContain('10');
  await look(page, `${name}-link-fault`);
  await page.fill('#password', goodPassword);
  await send(page, path);
  await look(page, `${name}-setup`);
  const secret = bytesOfKey((await page.textContent('main p code')) ?? '');
  await page.fill('#code', codeOf(secret));
  await send(page, '/second-factor');
  await look(page, `${name}-codes`);
  await page.click('main a[role=button]');
  return { page, surprises, secret };
}

/** A browser reports the answer 422 of a shown-again form on its console. */
const unexpected = (surprises: string[]) => surprises.filter((each) => !/status of 422/.test(each));

test('an owner signs in with a second factor, makes a key, and uses it; the key is gone after a reload and in the history', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  const { page, surprises, secret } = await join('owner@acme.example', options, 'desk');
  await send(page, '/sign-out');
  expect(await heading(page)).toBe('Sign in');
  await look(page, 'desk-sign-in');
  await send(page, '/sign-in');
  await page.waitForSelector('.summary:focus');
  await page.fill('#email', 'owner@acme.example');
  await page.fill('#password', goodPassword);
  await page.check('[data-reveal=password]');
  expect(await page.getAttribute('#password', 'type')).toBe('text');
  await send(page, '/sign-in');
  expect(await heading(page)).toBe('Second step');
  await look(page, 'desk-second-step');
  await page.fill('#code', codeOf(secret, 1));
  await send(page, '/sign-in/code');
  expect(await heading(page)).toContain('Acme Insurance');
  await look(page, 'desk-home');

  await page.goto(`${url}/keys`);
  await look(page, 'desk-keys-empty');
  await page.click('main a[role=button]');
  await page.fill('#name', 'web shop');
  await page.fill('#limit', '0');
  await send(page, '/keys/new');
  expect(await page.inputValue('#name')).toBe('web shop');
  await look(page, 'desk-key-fault');
  await page.fill('#limit', '');
  await send(page, '/keys/new');
  const key = ((await page.textContent('[data-secret]')) ?? '').trim();
  expect(key).toMatch(/^svc_(test|live)_/);
  await look(page, 'desk-key-once');
  await page.click('button[data-copy]');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  expect((await call(harness, 'GET', '/v1/verifications', { key })).status).toBe(200);

  await page.reload();
  expect(await page.content()).not.toContain(key);
  await page.goto(`${url}/keys`);
  expect(await page.content()).not.toContain(key);
  await look(page, 'desk-keys');
  // A browser asks before it sends a form again, and this one has nobody who answers.
  await page.goBack().catch(() => undefined);
  await expect.poll(() => page.content().catch(() => key)).not.toContain(key);
  expect(await harness.rows`select 1 from api_keys where name = 'web shop'`).toHaveLength(1);
  await page.goto(`${url}/keys`);
  await page.click('td a');
  await look(page, 'desk-key');
  for (const path of ['members', 'log', 'account', 'nowhere']) {
    await page.goto(`${url}/${path}`);
    await look(page, `desk-${path}`);
  }
  expect(unexpected(surprises).filter((each) => !/status of 4(04|09)/.test(each))).toEqual([]);
}, 120_000);

test('the console works without scripts, on a phone, in the dark, in Dutch', async () => {
  const options = {
    ...{ javaScriptEnabled: false, viewport: { width: 360, height: 740 } },
    ...{ colorScheme: 'dark' as const, locale: 'nl-NL' },
  };
  const owner = { email: 'eigenaar@voorbeeld.example', role: 'owner' } as const;
  const link = await pathOfInvitation(harness, 'Verzekeraar', owner);
  const { page } = await visit(link, options);
  const snap = (name: string) =>
    folder === undefined
      ? undefined
      : page.screenshot({ path: `${folder}/phone-${name}.png`, fullPage: true });
  await snap('link');
  await page.fill('#password', goodPassword);
  await send(page, link);
  await snap('setup');
  const secret = bytesOfKey((await page.textContent('main p code')) ?? '');
  await page.fill('#code', codeOf(secret));
  await send(page, '/second-factor');
  await snap('codes');
  await page.click('main a[role=button]');
  expect(await heading(page)).toBe('Welkom bij Verzekeraar');
  await snap('home');
  await page.goto(`${url}/keys/new`);
  await page.fill('#name', 'webwinkel');
  await snap('key-form');
  await send(page, '/keys/new');
  expect(await page.textContent('[data-secret]')).toContain('svc_');
  expect(await page.isVisible('button[data-copy]')).toBe(false);
  for (const path of ['keys', 'members', 'account']) {
    await page.goto(`${url}/${path}`);
    await snap(path);
  }
}, 120_000);

test('every page of the console is accessible on a phone and in the dark', async () => {
  const options = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' as const };
  const { page } = await join('second@acme.example', options, 'dark');
  for (const path of ['', 'keys', 'keys/new', 'members', 'log', 'account']) {
    await page.goto(`${url}/${path}`);
    await look(page, `dark-${path.replace('/', '-')}`);
  }
}, 120_000);
