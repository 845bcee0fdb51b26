import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { anyPicture } from '../support/picture.ts';
import { pageTexts } from '../support/texts.ts';
import { browserOfFile } from './browser.ts';
import { heading, linkOf, pick, press, startWithPassport } from './person.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();

test('a photo is shown before it is sent, and a large one leaves smaller than it was', async () => {
  const { page, surprises } = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(page);
  const large = await anyPicture(4000, 3000);
  await pick(page, large);
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>('img.preview')?.naturalWidth === 2400,
  );

  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await press(page, 'picture');
  const { 'content-length': length } = await (await sent).allHeaders();
  expect(Number(length)).toBeGreaterThan(0);
  expect(Number(length)).toBeLessThan(large.length * 0.6);
  expect(await heading(page)).toBe(pageTexts.en.confirm.title);
  expect(surprises).toEqual([]);
});
