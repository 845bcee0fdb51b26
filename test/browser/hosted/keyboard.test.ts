import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { fakeCamera } from '../camera/fake-camera.ts';
import { documentFrame, faceFrame, onDesk } from '../camera/frames.ts';
import { heading, linkOf } from '../person.ts';

/** Persons who have a keyboard and no pointer. They always see where the focus is. */

const harness = await startHarness();
const camera = await fakeCamera();
const visit = browserOfFile(harness, camera.flags);
const { key } = await harness.key();
const desk = { viewport: onDesk.screen };
const t = pageTexts.en;

const focused = (page: Page, selector: string) =>
  page.evaluate((each) => document.activeElement?.matches(each) ?? false, selector);

/** Presses Tab until the focus is there, and checks that each place on the way is seen. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 40 && !(await focused(page, selector)); presses++) {
    await page.keyboard.press('Tab');
    const [isNone, style, width, name] = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      // The script hides the field of a file behind its label, which shows the focus.
      const seen = element.matches('.scripted input[type=file]') ? element.closest('label') : element;
      const { outlineStyle, outlineWidth } = getComputedStyle(seen ?? element);
      return [element === document.body, outlineStyle, outlineWidth, element.outerHTML.slice(0, 80)];
    });
    if (!isNone) expect([style, width], String(name)).toEqual(['solid', '3px']);
  }
  expect(await focused(page, selector), selector).toBe(true);
}

async function pressAt(page: Page, selector: string, pressed = 'Enter'): Promise<void> {
  await tabTo(page, selector);
  await page.keyboard.press(pressed);
}

/** Agrees, begins, and chooses a passport. */
async function begin(page: Page, consents: readonly ('document' | 'face')[]): Promise<void> {
  for (const item of consents) await pressAt(page, `input[name=consent][value=${item}]`, 'Space');
  await pressAt(page, 'form[action*="/start?"] button:not([type=button], [form])');
  await expect.poll(() => heading(page)).toBe(t.document.title);
  await pressAt(page, 'a.choice[href*="take=passport_page"]');
  await expect.poll(() => heading(page)).toBe(t.picture.passport_page.title);
}

/** Opens the camera, takes the photo, takes it again, and uses it. */
async function takeTwice(page: Page, frame: Buffer): Promise<void> {
  await camera.show(frame);
  await pressAt(page, '.open');
  await expect.poll(() => focused(page, '.shutter')).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page, '.shown h2')).toBe(true);
  // After a photo of the camera, the camera opens again by itself.
  await pressAt(page, '.retake');
  await expect.poll(() => focused(page, '.shutter')).toBe(true);
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page, '.shown h2')).toBe(true);
  await pressAt(page, '.shown .action button');
}

test('the keyboard alone goes from the link to the end with the camera, taking photos again on the way', async () => {
  const { page, surprises } = await visit(`${await linkOf(harness, key, 'document_liveness')}?lang=en`, desk);
  await begin(page, ['document', 'face']);
  await takeTwice(page, await documentFrame('passport', { scene: onDesk }));
  await expect.poll(() => heading(page)).toBe(t.picture.selfie.title);
  await takeTwice(page, await faceFrame(onDesk));
  await expect.poll(() => heading(page)).toBe(t.movements.title);
  await pressAt(page, 'details:has(form[action*="no-movements"]) > summary');
  await pressAt(page, 'form[action*="/no-movements?"] button');
  await expect.poll(() => heading(page)).toBe(t.confirm.title);

  await pressAt(page, 'li[data-picture=passport_page] a');
  await expect.poll(() => heading(page)).toBe(t.picture.passport_page.title);
  await takeTwice(page, await documentFrame('passport', { scene: onDesk }));
  await expect.poll(() => heading(page)).toBe(t.confirm.title);
  await pressAt(page, 'form[action*="/submit?"] button');
  await expect.poll(() => heading(page)).toBe(t.done.title);
  expect(surprises).toEqual([]);
});

test('Escape closes the camera, and the focus is where it was', async () => {
  await camera.show(await documentFrame('passport', { scene: onDesk }));
  const { page } = await visit(await linkOf(harness, key, 'document_only'), desk);
  await begin(page, ['document']);
  await pressAt(page, '.open');
  await expect.poll(() => focused(page, '.shutter')).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page, '.open')).toBe(true);
});

test('the keyboard alone stops, and removes the photos', async () => {
  const { page, surprises } = await visit(await linkOf(harness, key, 'document_only'), desk);
  await begin(page, ['document']);
  await pressAt(page, 'details.stopping summary');
  await pressAt(page, 'form[action*="/withdraw?"] button');
  await expect.poll(() => heading(page)).toBe(t.cancelled.byPerson.pictures.title);
  expect(surprises).toEqual([]);
});
