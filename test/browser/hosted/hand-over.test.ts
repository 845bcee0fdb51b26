import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { choose, consent, heading, linkOf, press } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();

const desk = { viewport: { width: 1200, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** A computer and a phone with the same link, after Start on the computer. */
async function both(language: PageLanguage) {
  const link = `${await linkOf(harness, key, 'document_liveness')}?lang=${language}`;
  const { page: computer, surprises } = await visit(link, desk);
  await consent(computer);
  await press(computer, 'start');
  const { page: mobile } = await visit(link, phone);
  return { computer, mobile, surprises };
}

/** Tells a page that its tab or device is looked at again. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test.each(['nl', 'en'] as const)(
  'in %s, the computer shows the code first, follows the phone step by step, and shows the end',
  async (language) => {
    const { handover, done, document: choice, shell } = pageTexts[language];
    const { computer, mobile, surprises } = await both(language);
    expect(await heading(computer)).toBe(choice.title);
    expect(await computer.textContent('main h2')).toBe(handover.title);
    await computer.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.hand-over img')?.naturalWidth,
    );
    await expectAccessible(computer);
    expect(await mobile.isVisible('.hand-over')).toBe(false);

    const follows = () => computer.textContent('.follows p');
    const progress = () => computer.textContent('.progress p');
    // The first answer that the computer gets is its own step.
    await computer.waitForResponse((response) => response.url().includes('follow=phone'));
    await choose(mobile, 'card_front');
    await press(mobile, 'specimen');
    await expect.poll(() => heading(computer)).toBe(handover.following);
    expect(await follows()).toBe(handover.phoneAt(handover.steps.card_back));
    expect(await progress()).toBe(shell.step({ current: 2, of: 4, name: shell.parts.document }));
    await expectAccessible(computer);
    await press(mobile, 'specimen');
    await expect.poll(follows).toBe(handover.phoneAt(handover.steps.selfie));
    expect(await progress()).toBe(shell.step({ current: 3, of: 4, name: shell.parts.selfie }));
    await press(mobile, 'specimen');
    await expect.poll(follows).toBe(handover.phoneAt(handover.steps.movements));
    expect(await progress()).toBe(shell.step({ current: 3, of: 4, name: shell.parts.selfie }));
    await press(mobile, 'specimen');
    await expect.poll(follows).toBe(handover.phoneAt(handover.steps.confirm));
    expect(await progress()).toBe(shell.step({ current: 4, of: 4, name: shell.parts.send }));
    await press(mobile, 'submit');
    await expect.poll(() => heading(computer)).toBe(done.title);
    expect(surprises).toEqual([]);
  },
);

test.each(['nl', 'en'] as const)(
  'in %s, the computer takes over again and sends, and the phone that comes back is where the computer is',
  async (language) => {
    const { handover, picture, movements, confirm, done } = pageTexts[language];
    const { computer, mobile, surprises } = await both(language);
    await computer.waitForResponse((response) => response.url().includes('follow=phone'));
    await choose(mobile, 'passport_page');
    await press(mobile, 'specimen');
    await expect.poll(() => heading(computer)).toBe(handover.following);
    await computer.click(`a:has-text("${handover.takeOver}")`);
    await expect.poll(() => heading(computer)).toBe(picture.selfie.title);
    await press(computer, 'specimen');
    await expect.poll(() => heading(computer)).toBe(movements.title);
    await press(computer, 'specimen');
    await expect.poll(() => heading(computer)).toBe(confirm.title);

    expect(await heading(mobile)).toBe(picture.selfie.title);
    await comeBack(mobile);
    await expect.poll(() => heading(mobile)).toBe(confirm.title);
    await press(computer, 'submit');
    await expect.poll(() => heading(computer)).toBe(done.title);
    await comeBack(mobile);
    await expect.poll(() => heading(mobile)).toBe(done.title);
    expect(surprises).toEqual([]);
  },
);

test.each(['nl', 'en'] as const)(
  'in %s, who began on the phone goes on at the computer, from the step of the phone to the end',
  async (language) => {
    const { handover, picture, movements, confirm, done } = pageTexts[language];
    const link = `${await linkOf(harness, key, 'document_liveness')}?lang=${language}`;
    const { page: mobile } = await visit(link, phone);
    await consent(mobile);
    await press(mobile, 'start');
    await choose(mobile, 'card_front');
    await press(mobile, 'specimen');

    const { page: computer, surprises } = await visit(link, desk);
    expect(await heading(computer)).toBe(picture.card_back.title);
    await press(computer, 'specimen');
    await expect.poll(() => heading(computer)).toBe(picture.selfie.title);
    await comeBack(mobile);
    await expect.poll(() => heading(mobile)).toBe(picture.selfie.title);
    await press(mobile, 'specimen');
    await comeBack(computer);
    await expect.poll(() => heading(computer)).toBe(movements.title);
    await press(computer, 'specimen');
    await expect.poll(() => heading(computer)).toBe(confirm.title);
    await press(computer, 'submit');
    await expect.poll(() => heading(computer)).toBe(done.title);
    expect(await computer.isVisible(`text=${handover.following}`)).toBe(false);
    expect(surprises).toEqual([]);
  },
);

test('two tabs at the same step end at the same place', async () => {
  const { computer, mobile } = await both('en');
  await choose(computer, 'passport_page');
  await choose(mobile, 'passport_page');
  await press(computer, 'specimen');
  await press(mobile, 'specimen');
  expect(await heading(mobile)).toBe(pageTexts.en.picture.selfie.title);
  expect(await heading(computer)).toBe(pageTexts.en.picture.selfie.title);
});

test('on a computer, the first page shows the code before all else that is to do, and a phone begins with it', async () => {
  const { welcome, handover, document: choice } = pageTexts.en;
  const link = `${await linkOf(harness, key, 'document_only')}?lang=en`;
  const { page: computer } = await visit(link, desk);
  await computer.waitForResponse((response) => response.url().includes('follow=phone'));
  const headings = await computer.locator('main :is(h1, h2):visible').allTextContents();
  expect(headings.slice(0, 3)).toEqual([welcome.title, handover.title, handover.goOnHere]);
  const { page: mobile } = await visit(link, phone);
  expect(await mobile.isVisible('.hand-over')).toBe(false);
  await consent(mobile);
  await press(mobile, 'start');
  await expect.poll(() => heading(mobile)).toBe(choice.title);
  await expect.poll(() => heading(computer)).toBe(handover.following);
});

test('the address of the verification is copied, also on the page of a photo', async () => {
  const link = await linkOf(harness, key, 'document_liveness');
  const { page } = await visit(link, { ...desk, permissions: ['clipboard-read', 'clipboard-write'] });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const expectCopied = async () => {
    expect(await page.isVisible('.link code')).toBe(false);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.click('.copy:visible');
    await expect.poll(() => page.textContent('.copied:visible')).toBe(pageTexts.en.handover.copied);
    expect(await copied()).toBe(`https://verify.partner-test.example${link}?lang=en`);
  };
  await expectCopied();
  await consent(page);
  await press(page, 'start');
  await expectCopied();
  await choose(page, 'passport_page');
  await page.click('.on-phone summary');
  await expectCopied();
});

test('if copying does not work, the page says so and shows the address', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), desk);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await page.click('.copy');
  await expect.poll(() => page.textContent('.copied')).toBe(pageTexts.en.handover.notCopied);
  expect(await page.isVisible('.hand-over code')).toBe(true);
});
