import type { FrameLocator, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { simulatedBanks } from '../../support/people/idin.ts';
import { look, startConsoleInBrowser } from './console.ts';

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
