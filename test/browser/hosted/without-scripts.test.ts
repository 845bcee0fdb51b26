import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { agentInApp, heading, linkOf, pick, press, smallScreens, startWithPassport } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();

test('without scripts the whole flow works with forms', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), {
    javaScriptEnabled: false,
  });
  const upload = async (buffer: Buffer) => {
    await pick(page, buffer);
    await press(page, 'picture');
  };
  await startWithPassport(page);
  expect(await page.getAttribute('.by-camera input', 'capture')).toBe('environment');
  expect(await page.locator('label:has(input[type=file])').count()).toBe(2);
  await upload(Buffer.from('no photo'));
  expect(await page.textContent('[role=alert]')).toContain('not a photo');
  await upload(await anyPicture());
  expect(await heading(page)).toBe(pageTexts.en.confirm.title);
  await press(page, 'submit');
  await expect
    .poll(async () => {
      await page.reload();
      return heading(page);
    })
    .toBe(pageTexts.en.done.title);
});

test('without scripts, a form without a photo gets a fault in the language of the page, and no bubble of the browser', async () => {
  const { page } = await visit(`${await linkOf(harness, key, 'document_only')}?lang=nl`, {
    javaScriptEnabled: false,
    isMobile: true,
    hasTouch: true,
  });
  await startWithPassport(page);
  for (const form of ['.by-camera', '.by-file']) {
    await page.click(`${form} button`);
    await page.waitForURL(/fault=no_picture/);
    expect(await page.textContent('[role=alert]')).toBe(pageTexts.nl.faults.no_picture);
    expect(await page.getAttribute(`${form} input`, 'aria-invalid')).toBe('true');
    await page.goto(page.url().replace('&fault=no_picture', ''));
    expect(await page.locator('[role=alert]').count()).toBe(0);
  }
});

test('without scripts, the address for a phone can be read', async () => {
  const link = await linkOf(harness, key, 'document_only');
  const { page } = await visit(`${link}?lang=en`, { javaScriptEnabled: false });
  const address = `https://verify.partner-test.example${link}?lang=en`;
  expect(await page.textContent('.hand-over code')).toBe(address);
  expect(await page.isVisible('.hand-over .copy')).toBe(false);
  await startWithPassport(page);
  await page.click('.on-phone summary');
  expect(await page.isVisible('.on-phone code')).toBe(true);
  expect(await page.textContent('.on-phone code')).toBe(address);
});

test('without scripts, a page inside another app says how to leave it, with the address', async () => {
  const link = await linkOf(harness, key, 'document_only');
  const { page } = await visit(`${link}?lang=en`, {
    ...smallScreens.phone,
    userAgent: agentInApp,
    javaScriptEnabled: false,
  });
  await startWithPassport(page);
  await page.click('.own-browser summary');
  expect(await page.textContent('.own-browser p')).toBe(pageTexts.en.handover.ownBrowser.text);
  expect(await page.textContent('.own-browser code')).toBe(
    `https://verify.partner-test.example${link}?lang=en`,
  );
  expect(await page.isVisible('.own-browser code')).toBe(true);
});

test('without scripts a person can ask for another way', async () => {
  await harness.settings({ offersOtherWay: true });
  const { page } = await visit(await linkOf(harness, key, 'document_liveness'), { javaScriptEnabled: false });
  await page.click(`summary:has-text("${pageTexts.en.welcome.otherWay.title}")`);
  await press(page, 'decline');
  expect(await heading(page)).toBe(pageTexts.en.done.otherWay.title);
});
