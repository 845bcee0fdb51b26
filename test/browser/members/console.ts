import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Harness } from '../../support/harness.ts';
import { codeOf, goodPassword, joins } from '../../support/people/console.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';

/** Where pictures of the pages are kept for those who look at pages. */
export const folder = process.env.SCREENSHOTS;

type NewMember = NonNullable<Parameters<typeof joins>[2]>;

/** Starts the console of a harness for a browser. */
export async function startConsoleInBrowser(
  harness: Harness,
  parts: Parameters<Harness['startConsole']>[0] = {},
) {
  const site = await harness.startConsole(parts);
  // A browser takes a passkey for a name, not for an address.
  const url = site.url.replace('127.0.0.1', 'localhost');
  const visit = browserOfFile({ ...harness, url });

  /** Makes a member, or an operator without `org`, and signs in. */
  async function signedIn(
    member: Pick<NewMember, 'org'> & Required<Pick<NewMember, 'role'>>,
    options: BrowserContextOptions = {},
  ) {
    const { email, secret } = await joins(harness, url, member);
    const visited = await visit('/sign-in', options);
    await signIn(visited.page, email, secret);
    return visited;
  }

  return { url, visit, signedIn };
}

/** Signs in with the password, and with a code of the authenticator app where the member has a secret of one. */
export async function signIn(page: Page, email: string, secret?: Buffer): Promise<void> {
  await page.fill('#email', email);
  await page.fill('#password', goodPassword);
  await page.click('form[action="/sign-in"] button');
  if (secret) {
    await page.waitForURL('**/code');
    await page.fill('#code', codeOf(secret, 1));
    await page.click('form[action="/sign-in/code"] button');
  }
  await page.waitForSelector('nav', { state: 'attached' });
}

/** Checks the page, and keeps a picture of it where SCREENSHOTS names a folder. */
export async function look(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Goes on with the Tab key until the element has the focus, which must be visible. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = () => page.evaluate((each) => document.activeElement?.matches(each) ?? false, selector);
  for (let presses = 0; presses < 60 && !(await isThere()); presses++) await page.keyboard.press('Tab');
  expect(await isThere(), selector).toBe(true);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline, selector).not.toBe('none');
}
