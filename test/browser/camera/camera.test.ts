import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { linkOf, startWithPassport } from '../person.ts';
import { fakeCamera, hintOf, openOn, shutter } from './fake-camera.ts';
import { documentFrame } from './frames.ts';

const harness = await startHarness();
const camera = await fakeCamera();
const visit = browserOfFile(harness, camera.flags);
const { key } = await harness.key();

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const { hints } = pageTexts.en.camera;

test('with the automatic photo switched on, a good view is taken without a button, and it can be taken again', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), phone);
  await startWithPassport(page);
  await openOn(page, camera, await documentFrame('passport'), hints.ready);
  expect(await page.isChecked('.camera .auto')).toBe(false);
  await page.check('.camera .auto');
  await page.waitForSelector('.shown', { state: 'visible' });
  await page.click('.retake');
  await page.waitForSelector(shutter, { state: 'visible' });
});

test('a hint says what is wrong, and the shutter works all the same', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), phone);
  await startWithPassport(page);
  await openOn(page, camera, await documentFrame('passport', { variant: { light: 0.22 } }), hints.more_light);
  expect(await page.getAttribute('.camera .hint', 'role')).toBe('status');
  await page.click(shutter);
  await page.waitForSelector('.shown', { state: 'visible' });
});

test('the camera that is opened again at once stays open', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), phone);
  await startWithPassport(page);
  await openOn(page, camera, await documentFrame('passport'), hints.ready);
  // In one task of the browser, so that the event about the end of the first comes after the second has begun.
  await page.evaluate(() => {
    document.querySelector<HTMLButtonElement>('.camera .close')?.click();
    document.querySelector<HTMLButtonElement>('.open')?.click();
  });
  await expect.poll(() => hintOf(page)).toBe(hints.ready);
  await page.click(shutter);
  await page.waitForSelector('.shown', { state: 'visible' });
});

test('a document is taken with the rear camera', async () => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), phone);
  await startWithPassport(page);
  await camera.show(await documentFrame('passport'));
  const asked = page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        const { mediaDevices } = navigator;
        const open = mediaDevices.getUserMedia.bind(mediaDevices);
        mediaDevices.getUserMedia = (wish) => {
          resolve(wish?.video);
          return open(wish);
        };
        document.querySelector<HTMLButtonElement>('.open')?.click();
      }),
  );
  expect(await asked).toMatchObject({ facingMode: { ideal: 'environment' } });
  await page.waitForSelector(shutter, { state: 'visible' });
});

test.each([
  ['200 %', { width: 640, height: 400 }],
  ['400 %', { width: 320, height: 200 }],
])('on a desk at %s, the camera, the photo and what unfolds are accessible', async (_, viewport) => {
  const { page } = await visit(await linkOf(harness, key, 'document_only'), { viewport });
  await startWithPassport(page);
  for (const summary of await page.locator('main summary:visible').all()) await summary.click();
  await expectAccessible(page);
  await camera.show(await documentFrame('passport'));
  await page.click('.open');
  await page.waitForSelector(shutter, { state: 'visible' });
  await expectAccessible(page);
  const box = await page.locator(shutter).boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  await page.click(shutter);
  await page.waitForSelector('.shown', { state: 'visible' });
  await expectAccessible(page);
});
