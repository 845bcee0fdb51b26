import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { goodPassword, joins } from '../../support/people/console.ts';
import { expectAccessible } from '../browser.ts';
import { look, signIn, startConsoleInBrowser } from './console.ts';

const harness = await startHarness({ worker: false });
const { url, visit } = await startConsoleInBrowser(harness);

/** Gives the browser a device that verifies its user at once. */
async function withDevice(page: Page): Promise<{ client: CDPSession; authenticatorId: string }> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
  return { client, authenticatorId };
}

/** Signs in with the password of a member without a second factor, and adds a passkey. */
async function addPasskey(page: Page, email: string): Promise<void> {
  await signIn(page, email);
  await page.goto(`${url}/account/passkeys`);
  await look(page, 'passkeys-none');
  await page.fill('#name', 'work phone');
  await page.fill('#password', goodPassword);
  await page.click('form[action="/account/passkeys"] button');
  await page.waitForSelector('form[data-passkey]:not([hidden])');
  await look(page, 'passkeys-confirm');
}

const confirm = (page: Page) => page.click('form[data-passkey] button');

test('a member adds a passkey, signs in with it alone, and removes it', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const { page, surprises } = await visit('/sign-in');
  const { client, authenticatorId } = await withDevice(page);
  await addPasskey(page, email);
  await confirm(page);
  await page.waitForURL('**/account/passkeys?notice=passkey_added');
  expect(await page.textContent('tbody')).toContain('work phone');
  await look(page, 'passkeys');

  await page.click('form[action="/sign-out"] button');
  await page.waitForURL('**/sign-in?notice=signed_out');
  await look(page, 'passkeys-sign-in');
  await confirm(page);
  await page.waitForSelector('nav');
  await page.goto(`${url}/account/passkeys`);
  expect(await page.textContent('tbody')).not.toContain('never');

  await page.click('form[action$="/remove"] button');
  await page.waitForURL('**/account/passkeys?notice=passkey_removed');
  await page.click('form[action="/sign-out"] button');
  await page.waitForURL('**/sign-in?notice=signed_out');
  await confirm(page);
  await page.waitForSelector('[role=alert]:not([hidden])');
  expect(await page.textContent('main')).toContain('does not open this console');
  const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials).toHaveLength(1);
  expect(surprises.filter((each) => !/status of 422/.test(each))).toEqual([]);
}, 120_000);

test('a device that does not verify its user signs nobody in, and the page says what to do', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const { page } = await visit('/sign-in');
  const { client, authenticatorId } = await withDevice(page);
  await addPasskey(page, email);
  await confirm(page);
  await page.waitForURL('**/account/passkeys?notice=passkey_added');
  await page.click('form[action="/sign-out"] button');
  await page.waitForURL('**/sign-in?notice=signed_out');
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await confirm(page);
  await page.waitForSelector('form[data-passkey] [role=alert]:not([hidden])');
  expect(new URL(page.url()).pathname).toBe('/sign-in');
  await expectAccessible(page);
  await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await confirm(page);
  await page.waitForSelector('nav');
}, 120_000);

test('the pages are accessible on a phone in the dark', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const { page } = await visit('/sign-in', {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
  });
  await withDevice(page);
  await addPasskey(page, email);
  await confirm(page);
  await page.waitForURL('**/account/passkeys?notice=passkey_added');
  await look(page, 'passkeys-dark');
}, 120_000);

test('without scripts nothing of a passkey is offered, and the page says why', async () => {
  const { email } = await joins(harness, url, { role: 'auditor' });
  const { page } = await visit('/sign-in', { javaScriptEnabled: false });
  expect(await page.isVisible('form[data-passkey]')).toBe(false);
  await signIn(page, email);
  await page.goto(`${url}/account/passkeys`);
  await page.fill('#name', 'x');
  await page.fill('#password', goodPassword);
  await page.click('form[action="/account/passkeys"] button');
  expect(await page.textContent('[data-no-passkey]')).toContain('no scripts');
}, 120_000);
