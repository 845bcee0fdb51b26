import { expect, test, vi } from 'vitest';
import { harnessOfFile } from '../support/harness.ts';
import { anyPicture } from '../support/person.ts';
import { pageTexts } from '../support/texts.ts';
import { browserOfFile, expectAccessible } from './browser.ts';
import { choose, consent, heading, linkOf, press } from './person.ts';

// The document is read for real, which takes seconds.
vi.setConfig({ testTimeout: 180_000 });
const harness = await harnessOfFile();
const visit = browserOfFile(harness);
const { key } = await harness.key({ environment: 'live' });

test('the page of who waits says by itself when it is done, and going back leads to no step that is past', async () => {
  const { page, surprises, leave } = await visit(await linkOf(harness, key, 'document_only'));
  await consent(page);
  await press(page, 'start');
  await choose(page, 'passport_page');
  const buffer = await anyPicture();
  await page.setInputFiles('input[type=file]', { name: 'p.jpg', mimeType: 'image/jpeg', buffer });
  await press(page, 'picture');
  await press(page, 'submit');
  expect(await heading(page)).toBe(pageTexts.en.checking.title);
  expect(await page.getAttribute('main', 'aria-live')).toBe('polite');
  await expectAccessible(page);

  let loads = 0;
  page.on('framenavigated', () => loads++);
  await expect.poll(() => heading(page), { timeout: 120_000 }).toBe(pageTexts.en.done.title);
  expect(await page.title()).toBe(pageTexts.en.done.title);
  expect(loads).toBe(0);

  await page.goBack();
  expect(await heading(page)).toBe(pageTexts.en.done.title);
  expect(surprises).toEqual([]);
  await leave();
});
