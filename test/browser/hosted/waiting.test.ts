import { expect, test } from 'vitest';
import { quickMasker } from '../../support/examiners/quick-masker.ts';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from '../person.ts';

const examined = Promise.withResolvers<void>();
const covered = Promise.withResolvers<void>();
const harness = await startHarness({
  documents: {
    async check() {
      await examined.promise;
      return {
        checks: [{ kind: 'document_integrity', result: 'not_applicable', confidence: 0 }],
        read: null,
      };
    },
    close: async () => undefined,
  },
  masker: {
    async mask(...given) {
      await covered.promise;
      return quickMasker.mask(...given);
    },
    close: async () => undefined,
  },
});
const visit = browserOfFile(harness);
const { key } = await harness.key({ environment: 'live' });

test('the waiting page shows by itself what is busy and that it is done, and going back leads to no finished step', async () => {
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
  const { names } = pageTexts.en.checking;
  const busy = () => page.textContent('.stages .busy');
  expect(await busy()).toContain(names.reading);
  expect(await page.locator('.stages .done').count()).toBe(1);
  examined.resolve();
  // The masked copy is still being made.
  await expect.poll(() => heading(page)).toBe(pageTexts.en.done.title);
  covered.resolve();
  expect(await page.title()).toBe(pageTexts.en.done.title);
  expect(loads).toBe(0);

  await page.goBack();
  expect(await heading(page)).toBe(pageTexts.en.done.title);
  expect(surprises).toEqual([]);
});
