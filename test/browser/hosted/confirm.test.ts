import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, pick, press, startWithPassport, stayStill } from '../person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const { confirm, picture } = pageTexts.en;

type Visited = Awaited<ReturnType<typeof visit>>['page'];
const kindsOn = (page: Visited) =>
  page.locator('li[data-picture]').evaluateAll((items) => items.map(({ dataset }) => dataset.picture));

async function send(page: Visited): Promise<void> {
  await pick(page, await anyPicture());
  await page.waitForSelector('.shown', { state: 'visible' });
  await press(page, 'picture');
}

test('before Send, pictures stand in the order of the document, whole, and each can be enlarged', async () => {
  const { page } = await visit(`${await linkOf(harness, key, 'document_liveness')}?lang=en`, phone);
  await startWithPassport(page);
  await send(page);
  await expect.poll(() => heading(page)).toBe(picture.selfie.title);
  await send(page);
  await stayStill(page);
  await expect.poll(() => heading(page)).toBe(confirm.title);
  // The passport arrives last.
  await page.click('li[data-picture=passport_page] > a');
  await expect.poll(() => heading(page)).toBe(picture.passport_page.title);
  await send(page);
  await expect.poll(() => heading(page)).toBe(confirm.title);
  expect(await kindsOn(page)).toEqual(['passport_page', 'selfie', 'movements']);

  const thumbnail = page.locator('li[data-picture=passport_page] .thumbnail');
  expect(await page.locator('.thumbnail:visible').count()).toBe(2);
  expect(await thumbnail.evaluate((image) => getComputedStyle(image).objectFit)).toBe('contain');
  const widthOf = async () => (await thumbnail.boundingBox())?.width ?? 0;
  const small = await widthOf();
  await thumbnail.click();
  expect(await widthOf()).toBeGreaterThan(300);
  await expectAccessible(page);
  await page.focus('li[data-picture=passport_page] summary');
  await page.keyboard.press('Enter');
  expect(await widthOf()).toBe(small);
  await expectAccessible(page);
});

test('without scripts, what was handed in stands in the order of the document, and no picture comes back', async () => {
  const link = `${harness.url}${await linkOf(harness, key, 'document_liveness')}?lang=en`;
  const { page } = await visit('/verify/nothing', { javaScriptEnabled: false });
  await page.goto(link);
  for (const box of await page.locator('input[name=consent]').all()) await box.check();
  await press(page, 'start');
  for (const kind of ['movements', 'selfie', 'card_back', 'card_front']) {
    await page.goto(`${link}&take=${kind}`);
    await press(page, 'specimen');
  }
  await page.goto(link);
  expect(await heading(page)).toBe(confirm.title);
  expect(await kindsOn(page)).toEqual(['card_front', 'card_back', 'selfie', 'movements']);
  expect(await page.locator('.thumbnail:visible').count()).toBe(0);
});
