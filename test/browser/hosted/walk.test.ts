import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { choose, consent, heading, linkOf, pick, press, startWithPassport } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();
const { key: told } = await harness.key({ org: 'Told' });
await harness.settings(
  {
    purpose: 'The law asks us to know our customers before we open an account.',
    contact: 'privacy@told.example or 020 555 00 00',
    privacyUrl: 'https://told.example/privacy',
    offersOtherWay: true,
    decisions: 'machine_may_reject',
  },
  'Told',
);

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const desk = { viewport: { width: 1200, height: 800 } };
const devices: [string, PageLanguage, BrowserContextOptions][] = [
  ['a phone by day', 'nl', { ...phone, locale: 'nl-NL', colorScheme: 'light' }],
  ['a phone by night', 'en', { ...phone, colorScheme: 'dark' }],
  ['a desk by day', 'en', { ...desk, colorScheme: 'light' }],
];

test.each(devices)(
  'on %s, in %s, every page from the link to the end is accessible and asks no other host',
  async (_, language, device) => {
    const { page, surprises } = await visit(await linkOf(harness, key, 'document_liveness'), device);
    const { welcome, document, picture, movements, confirm, done } = pageTexts[language];
    const at = async (title: string) => {
      await expect.poll(() => heading(page)).toBe(title);
      await expectAccessible(page);
    };
    await at(welcome.title);
    expect(await page.getAttribute('html', 'lang')).toBe(language);
    expect(await page.isVisible('.hand-over')).toBe(device.isMobile !== true);
    if (device.isMobile !== true)
      await page.waitForFunction(
        () => window.document.querySelector<HTMLImageElement>('.hand-over img')?.naturalWidth,
      );
    await at(welcome.title);

    await consent(page);
    await press(page, 'start');
    await at(document.title);
    await choose(page, 'card_front');
    for (const kind of ['card_front', 'card_back', 'selfie'] as const) {
      await at(picture[kind].title);
      await press(page, 'specimen');
    }
    await at(movements.title);
    await press(page, 'specimen');
    await at(confirm.title);
    await press(page, 'submit');
    await at(done.title);

    expect(surprises).toEqual([]);
  },
);

test('an error is shown at its field, and in the title', async () => {
  const { page, surprises } = await visit(await linkOf(harness, key, 'document_only'));
  await press(page, 'start');
  expect(await page.title()).toContain(pageTexts.en.wrong);
  expect(await page.getAttribute('input[name=consent]', 'aria-invalid')).toBe('true');
  await expectAccessible(page);

  await startWithPassport(page);
  await pick(page, Buffer.from('x'));
  await press(page, 'picture');
  expect(await page.textContent('[role=alert]')).toContain('not a photo');
  await expectAccessible(page);
  expect(surprises).toEqual([]);
});

test.each(devices)(
  'on %s, in %s, what a person reads before the consent is accessible, and so is the end of another way',
  async (_, language, device) => {
    const { page, surprises } = await visit(await linkOf(harness, told, 'document_liveness'), device);
    const { welcome, done } = pageTexts[language];
    await page.click(`summary:has-text("${welcome.privacyTitle}")`);
    await page.click(`summary:has-text("${welcome.otherWay.title}")`);
    expect(await page.locator('input[name=consent]').count()).toBe(2);
    await expectAccessible(page);
    await press(page, 'decline');
    await expect.poll(() => heading(page)).toBe(done.otherWay.title);
    await expectAccessible(page);
    expect(surprises).toEqual([]);
  },
);

test.each(['nl', 'en'] as const)(
  'in %s, the page of a rejection by a machine is accessible',
  async (language) => {
    const body = { method: 'document_only', sandbox: { scenario: 'rejected' } };
    const { json } = await call(harness, 'POST', '/v1/verifications', { key: told, body });
    const { page } = await visit(`${new URL(json.verify_url).pathname}?lang=${language}`, phone);
    expect(await heading(page)).toBe(pageTexts[language].done.byMachine.title);
    await expectAccessible(page);
  },
);

test('an unknown link shows a page in the language of the browser', async () => {
  const { page } = await visit('/verify/nothing', { locale: 'nl-NL' });
  expect(await heading(page)).toBe(pageTexts.nl.unknown.title);
  await expectAccessible(page);
});
