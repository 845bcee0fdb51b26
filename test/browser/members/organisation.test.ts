import type { FrameLocator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { simulatedBanks } from '../../support/people/idin.ts';
import { folder, look, startConsoleInBrowser } from './console.ts';

const { banks, agree } = await simulatedBanks();
const harness = await startHarness({ banks });
const { signedIn, url } = await startConsoleInBrowser(harness);
const { key } = await harness.key({ org: 'Bloemen', environment: 'live' });

const save = (page: Page, form: string) =>
  Promise.all([
    page.waitForURL('**?notice=saved'),
    page.click(`form[action="/organisation/${form}"] button`),
  ]);

const widthOfLogo = (shown: Page | FrameLocator) =>
  shown.locator('img[src*="logos/"]').evaluate((image) => (image as HTMLImageElement).naturalWidth);
const fillOf = (shown: Page | FrameLocator) =>
  shown.locator('.action button').evaluate((each) => getComputedStyle(each as never).backgroundColor);

test('an owner sets logo, colour and texts, and sees them in the preview and on the hosted page', async () => {
  const { page, context, surprises } = await signedIn({ org: 'Bloemen', role: 'owner' });
  await page.click('nav a[href="/organisation"]');
  await look(page, 'console-organisation-empty');
  await page.fill('#purpose', 'To open your account');
  await page.fill('#contact', 'help@bloemen.example');
  await page.fill('#privacyUrl', 'https://bloemen.example/privacy');
  await page.fill('#colour', '#8a1c5c');
  await save(page, 'shown');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><circle cx="50" cy="50" r="40" fill="#8a1c5c"/></svg>';
  const buffer = await sharp(Buffer.from(svg)).png().toBuffer();
  await page.setInputFiles('#logo', { name: 'logo.png', mimeType: 'image/png', buffer });
  await save(page, 'logo');
  await look(page, 'console-organisation');
  const shown = page.frameLocator('iframe');
  expect(await shown.locator('body').textContent()).toContain('help@bloemen.example');
  expect(await widthOfLogo(shown)).toBe(300);
  expect(await fillOf(shown)).toBe('rgb(138, 28, 92)');
  expect(surprises).toEqual([]);

  const created = await call(harness, 'POST', '/v1/verifications', {
    key,
    body: { method: 'document_only' },
  });
  const hosted = await context.newPage();
  await hosted.goto(harness.url + new URL(created.json.verify_url).pathname);
  expect(await hosted.textContent('body')).toContain('help@bloemen.example');
  expect(await widthOfLogo(hosted)).toBe(300);
  expect(await fillOf(hosted)).toBe('rgb(138, 28, 92)');
}, 300_000);

/** What has the focus, and how far down the framed page is. */
const place = (page: Page) =>
  page.evaluate(() => ({
    focus: document.activeElement?.tagName,
    inside: document.querySelector('iframe')?.contentDocument?.activeElement?.tagName,
    top: document.querySelector('iframe')?.contentWindow?.scrollY ?? 0,
  }));

test('the preview is one stop of the keyboard: keys scroll it, nothing in it can be pressed, and it changes its language alone', async () => {
  await harness.settings({ offersOtherWay: true }, 'Bloemen');
  const { page, surprises } = await signedIn({ org: 'Bloemen', role: 'owner' });
  await page.goto(`${url}/organisation`);
  await page.fill('#purpose', 'Typed and not saved');
  const shown = page.frameLocator('iframe');
  await page.click('a[target="preview"]:has-text("Dutch")');
  await shown.locator('html[lang="nl"]').waitFor();
  await page.click('a[target="preview"]:has-text("English")');
  await shown.locator('html[lang="en"]').waitFor();
  expect(await page.inputValue('#purpose')).toBe('Typed and not saved');

  await page.keyboard.press('Tab');
  expect(await place(page)).toEqual({ focus: 'IFRAME', inside: 'BODY', top: 0 });
  await page.keyboard.press('End');
  await expect.poll(async () => (await place(page)).top).toBeGreaterThan(300);
  await page.keyboard.press('Tab');
  expect((await place(page)).focus).not.toBe('IFRAME');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('English');

  const box = await shown.locator('.action button').boundingBox();
  const places = async () => [page.url(), await shown.locator('h1').textContent()];
  const before = await places();
  await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
  // The driver of the browser tries scripts of its own in the frame, and they are refused. The page has none.
  expect(surprises.filter((each) => !each.startsWith('error: Blocked script execution'))).toEqual([]);
  await expect(shown.locator('.action button').click({ timeout: 3_000 })).rejects.toThrow('element is inert');
  expect(await places()).toEqual(before);
}, 300_000);

test.each([
  ['light', 360, 320, 'rgb(255, 255, 255)'],
  ['dark', 360, 320, 'rgb(21, 27, 34)'],
  ['dark', 1280, 360, 'rgb(21, 27, 34)'],
] as const)(
  'the preview in %s, on a screen of %i px, is %i px wide and nothing of it lies beside',
  async (colorScheme, width, widest, surface) => {
    const { page } = await signedIn(
      { org: 'Bloemen', role: 'owner' },
      { viewport: { width, height: 740 }, colorScheme },
    );
    await page.goto(`${url}/organisation`);
    const frame = page.locator('iframe');
    await frame.scrollIntoViewIfNeeded();
    const body = page.frameLocator('iframe').locator('body');
    await body.waitFor();
    const { inner, across, back } = await body.evaluate((each) => ({
      inner: innerWidth,
      across: each.ownerDocument.documentElement.scrollWidth,
      back: getComputedStyle(each).backgroundColor,
    }));
    expect((await frame.boundingBox())?.width).toBe(widest);
    expect([across <= inner, inner]).toEqual([true, widest - 2]);
    expect(back).toBe(surface);
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/preview-${colorScheme}-${width}.png` });
  },
  300_000,
);

test('no other site can show the preview, or another page of the console, in a frame', async () => {
  const { page, context } = await signedIn({ org: 'Bloemen', role: 'owner' });
  const framedIn = async (from: string, path: string) => {
    const around = await context.newPage();
    await around.route('**/around', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${url}${path}"></iframe>` }),
    );
    await around.goto(`${from}/around`);
    const words = await around.frameLocator('iframe').locator('body').textContent();
    await around.close();
    return words?.includes('Bloemen');
  };
  const stranger = url.replace('localhost', '127.0.0.1');
  expect(await framedIn(url, '/organisation/preview')).toBe(true);
  expect(await framedIn(stranger, '/organisation/preview')).toBe(false);
  expect(await framedIn(url, '/organisation')).toBe(false);
  await page.goto(`${url}/organisation/preview`);
  expect(await page.textContent('body')).toContain('Bloemen');
}, 300_000);

test('the page is accessible on a phone in the dark, also with faults', async () => {
  const { page } = await signedIn(
    { org: 'Bloemen', role: 'owner' },
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  );
  await page.goto(`${url}/organisation`);
  await page.fill('#privacyUrl', 'bloemen.example');
  await page.click('form[action="/organisation/shown"] button');
  await page.waitForSelector('#privacyUrl-fault');
  await look(page, 'phone-organisation-fault');
}, 300_000);

test('the page of the contract for iDIN is accessible without one, with one, and with faults', async () => {
  const { page, surprises } = await signedIn(
    { org: 'Bloemen', role: 'owner' },
    { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  );
  await page.goto(`${url}/organisation`);
  await page.click('a[href="/organisation/idin"]');
  await look(page, 'phone-idin-empty');
  await agree(harness.ctx, 'Bloemen');
  await page.reload();
  await page.click('summary');
  await look(page, 'phone-idin');
  expect(surprises).toEqual([]);
  const buffer = Buffer.from('{"merchantId": "1"}');
  await page.setInputFiles('#contract', { name: 'contract.json', mimeType: 'application/json', buffer });
  await page.click('form[enctype] button');
  await page.waitForSelector('#contract-fault');
  await look(page, 'phone-idin-fault');
}, 300_000);
