import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();
const { camera, confirm, document, done, picture } = pageTexts.en;

/** Goes to the page before Send, with a picture in the memory of the browser. Returns what switches the network. */
async function beforeSend() {
  const { page, context } = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(page);
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  await press(page, 'picture');
  await expect.poll(() => heading(page)).toBe(confirm.title);
  const told = () => expect.poll(() => page.textContent('.told')).toBe(camera.sending.offline);
  const offline = (is: boolean) => context.setOffline(is);
  return { page, told, offline };
}

test('without a connection a link is followed as soon as it is back, in the same page', async () => {
  const { page, told, offline } = await beforeSend();
  let loads = 0;
  page.on('domcontentloaded', () => loads++);
  await offline(true);
  await page.click('li[data-picture] > a');
  await told();
  expect(await heading(page)).toBe(confirm.title);
  await expectAccessible(page);
  await offline(false);
  await expect.poll(() => heading(page)).toBe(picture.passport_page.title);
  expect(await page.locator('.told:visible').count()).toBe(0);

  await offline(true);
  await page.goBack();
  await told();
  await offline(false);
  await expect.poll(() => heading(page)).toBe(confirm.title);
  expect(await page.locator('.thumbnail:visible').count()).toBe(1);
  expect(loads).toBe(0);
});

test('of two links without a connection the last is followed', async () => {
  const { page, told, offline } = await beforeSend();
  await page.click('li[data-picture] > a');
  await expect.poll(() => heading(page)).toBe(picture.passport_page.title);
  const asked: string[] = [];
  await offline(true);
  await page.click(`a:has-text("${document.other}")`);
  await told();
  page.on('response', (response) => asked.push(new URL(response.url()).search));
  await page.click('a.language');
  await offline(false);
  await expect.poll(() => heading(page)).toBe(pageTexts.nl.picture.passport_page.title);
  expect(asked).toEqual(['?lang=nl&take=passport_page']);
});

test('who presses Send after a link without a connection gets the answer to Send', async () => {
  const { page, told, offline } = await beforeSend();
  const asked: string[] = [];
  await offline(true);
  await page.click('li[data-picture] > a');
  await told();
  page.on('response', (response) => asked.push(response.request().url()));
  await page.click('form[action*="/submit?"] button');
  await offline(false);
  await expect.poll(() => heading(page)).toBe(done.title);
  expect(asked.filter((url) => url.includes('take='))).toEqual([]);
});
