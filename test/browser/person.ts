import type { Page } from 'playwright-core';
import { call, type Harness } from '../support/harness.ts';

/** Creates a verification and returns the path of its link. */
export async function linkOf(harness: Pick<Harness, 'url'>, key: string, method: string): Promise<string> {
  const body = { method, sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  return new URL(json.verify_url).pathname;
}

/** Presses the button in the form of that action, and waits for the next page. */
export async function press(
  page: Page,
  action: 'start' | 'picture' | 'paper' | 'remove-paper' | 'specimen' | 'submit' | 'decline',
): Promise<void> {
  await Promise.all([
    page.waitForEvent('framenavigated'),
    page.click(`form[action*="/${action}?"] button:visible`),
  ]);
  await page.waitForLoadState();
}

export async function consent(page: Page): Promise<void> {
  for (const box of await page.locator('input[name=consent]').all()) await box.check();
}

/** Chooses what to show, and waits for the page that asks for its picture. */
export async function choose(page: Page, kind: 'passport_page' | 'card_front'): Promise<void> {
  await page.locator(`a.choice[href*="take=${kind}"]`).first().click();
  await page.waitForSelector(`section.capture[data-kind="${kind}"]`);
}

export const pick = (page: Page, buffer: Buffer) =>
  page.setInputFiles('.by-file input', { name: 'picture.jpg', mimeType: 'image/jpeg', buffer });
export const heading = (page: Page) => page.textContent('h1');

export async function startWithPassport(page: Page): Promise<void> {
  await consent(page);
  await press(page, 'start');
  await choose(page, 'passport_page');
}
