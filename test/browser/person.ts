import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { call, type Harness } from '../support/harness.ts';
import { type PageLanguage, pageTexts } from '../support/people/texts.ts';
import { expectInView } from './browser.ts';

/** The smallest phone on which a page is looked at, and a low window of a computer. */
export const smallScreens = {
  phone: { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1024, height: 640 } },
} as const;

/** Creates a verification and returns the path of its link. */
export async function linkOf(harness: Pick<Harness, 'url'>, key: string, method: string): Promise<string> {
  const body = { method, sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  return new URL(json.verify_url).pathname;
}

/** Presses the button in the form of that action, and waits for the next page. */
export async function press(
  page: Page,
  action: 'start' | 'picture' | 'no-movements' | 'paper' | 'remove-paper' | 'specimen' | 'submit' | 'decline',
): Promise<void> {
  await Promise.all([
    page.waitForEvent('framenavigated'),
    page.click(
      action === 'decline'
        ? 'button[form=other-way]:visible'
        : `form[action*="/${action}?"] button:not([form]):visible`,
    ),
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

/** Goes on without movements, as who cannot move so. */
export async function stayStill(page: Page, language: PageLanguage = 'en'): Promise<void> {
  const { movements } = pageTexts[language];
  await expect.poll(() => heading(page)).toBe(movements.title);
  await page.click(`summary:has-text("${movements.without.title}")`);
  await press(page, 'no-movements');
}

export async function startWithPassport(page: Page): Promise<void> {
  await consent(page);
  await press(page, 'start');
  await choose(page, 'passport_page');
}

/**
 * Opens a camera that does not work, with the button at the top of the screen, so that the reason above it would be out of view. Checks
 * that the reason is in view without scrolling, and stands above the ways that it calls "below".
 */
export async function expectReasonInView(page: Page, reason: string): Promise<void> {
  await page.locator('.open').evaluate((button) => button.scrollIntoView({ block: 'start' }));
  await page.click('.open');
  await expect.poll(() => page.textContent('.told')).toBe(reason);
  await expectInView(page, '.told');
  const bottomOfReason = await page.locator('.told').evaluate((told) => told.getBoundingClientRect().bottom);
  for (const way of await page.locator('.inputs :is(.open, label):visible').all())
    expect((await way.boundingBox())?.y).toBeGreaterThanOrEqual(bottomOfReason);
}

/** What an app on Android, here that of Facebook, says of the browser that it contains. */
export const agentInApp =
  'Mozilla/5.0 (Linux; Android 14; SM-A146U Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
  'Chrome/122.0.6261.88 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/453.0.0.40.107;]';

/** Inside an app: the steps to the own browser are open, their button copies the address, and the camera of the device remains. */
export async function expectWayOut(page: Page, language: PageLanguage, address: string): Promise<void> {
  const { ownBrowser } = pageTexts[language].handover;
  expect(await page.textContent('.own-browser summary')).toBe(ownBrowser.title);
  expect(await page.textContent('.own-browser p')).toBe(ownBrowser.text);
  expect(await page.isVisible('.own-browser p')).toBe(true);
  await page.click('.own-browser .copy');
  await expect.poll(() => page.textContent('.own-browser .copied')).toBe(ownBrowser.copied);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  expect(await page.isVisible('.by-camera label')).toBe(true);
  expect(await page.getAttribute('.by-camera input', 'capture')).toBe('environment');
}

/** Hands in a picture by the camera of the device. */
export async function takeWithDevice(page: Page, buffer: Buffer): Promise<void> {
  await page.setInputFiles('.by-camera input', { name: 'picture.jpg', mimeType: 'image/jpeg', buffer });
  await press(page, 'picture');
}
