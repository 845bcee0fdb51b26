import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { anyPicture } from '../support/picture.ts';
import { pageTexts } from '../support/texts.ts';
import { browserOfFile, expectAccessible } from './browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from './person.ts';

const examined = Promise.withResolvers<void>();
const harness = await startHarness({
  documents: {
    async check() {
      await examined.promise;
      return [{ kind: 'document_integrity', result: 'not_applicable', confidence: 0 }];
    },
    close: async () => undefined,
  },
});
const visit = browserOfFile(harness);
const { key } = await harness.key({ environment: 'live' });

test('the waiting page shows by itself that it is done, and going back leads to no finished step', async () => {
  const { page, surprises } = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(page);
  await pick(page, await anyPicture());
  await press(page, 'picture');
  await press(page, 'submit');
  expect(await heading(page)).toBe(pageTexts.en.checking.title);
  expect(await page.getAttribute('main', 'aria-live')).toBe('polite');
  await expectAccessible(page);

  let loads = 0;
  page.on('framenavigated', () => loads++);
  examined.resolve();
  await expect.poll(() => heading(page)).toBe(pageTexts.en.done.title);
  expect(await page.title()).toBe(pageTexts.en.done.title);
  expect(loads).toBe(0);

  await page.goBack();
  expect(await heading(page)).toBe(pageTexts.en.done.title);
  expect(surprises).toEqual([]);
});
