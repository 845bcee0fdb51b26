import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { anyPicture } from '../support/picture.ts';
import { pageTexts } from '../support/texts.ts';
import { browserOfFile } from './browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from './person.ts';

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

test('without scripts a person can ask for another way', async () => {
  await harness.settings({ offersOtherWay: true });
  const { page } = await visit(await linkOf(harness, key, 'document_liveness'), { javaScriptEnabled: false });
  await page.click(`summary:has-text("${pageTexts.en.welcome.otherWay.title}")`);
  await press(page, 'decline');
  expect(await heading(page)).toBe(pageTexts.en.done.otherWay.title);
});
