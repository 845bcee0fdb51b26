import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, startHarness } from '../../support/harness.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { slipOf } from '../../support/specimens/income/small/paper.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { consent, heading, press } from '../person.ts';
import { keepPicture } from '../screenshots.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key: live } = await harness.key({ environment: 'live' });
const { key: sandbox } = await harness.key();
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

async function linkOf(key: string, body: object = {}): Promise<string> {
  const { json } = await call(harness, 'POST', '/v1/income-checks', { key, body });
  return new URL(json.upload_url).pathname;
}

async function add(page: Page, buffer: Buffer): Promise<void> {
  await page.setInputFiles('form.paper input', { name: 'salaris.pdf', mimeType: 'application/pdf', buffer });
  await press(page, 'paper');
}

test.each(['nl', 'en'] as const)(
  'on a phone a person hands in documents, takes one back, and sends, in %s',
  async (language: PageLanguage) => {
    const { papers, confirm, checking, done } = pageTexts[language];
    const { page, surprises } = await visit(`${await linkOf(live)}?lang=${language}`, phone);
    const keep = async (name: string) => {
      if (language === 'nl') await keepPicture(page, `income-${name}-phone`);
    };
    await keep('welcome');
    await expectAccessible(page);
    await consent(page);
    await press(page, 'start');
    expect(await heading(page)).toBe(papers.title);
    await keep('papers');
    await expectAccessible(page);

    await add(page, await slipOf('two columns'));
    expect(await heading(page)).toBe(confirm.title);
    await page.click(`summary:has-text("${papers.another}")`);
    await add(page, await slipOf('english'));
    await page.click(`summary:has-text("${papers.another}")`);
    await keep('confirm');
    await expectAccessible(page);
    await add(page, Buffer.from('no document'));
    expect(await page.textContent('[role=alert]')).toBe(pageTexts[language].faults.not_a_pdf);
    expect(await page.isVisible('form.paper input')).toBe(true);
    await keep('fault');
    await expectAccessible(page);

    expect(await page.locator('.handed-in li').count()).toBe(2);
    await press(page, 'remove-paper');
    expect(await page.locator('.handed-in li').count()).toBe(1);
    await press(page, 'submit');
    await expect.poll(() => heading(page), { timeout: 60_000 }).not.toBe(confirm.title);
    expect([checking.title, done.title]).toContain(await heading(page));
    await expect.poll(() => heading(page), { timeout: 60_000 }).toBe(done.title);
    expect(surprises).toEqual([]);
  },
);

test('without scripts the documents are handed in by plain forms', async () => {
  const link = await linkOf(sandbox, { sandbox: { auto_complete: false } });
  const { page } = await visit(link, { javaScriptEnabled: false });
  await consent(page);
  await press(page, 'start');
  await press(page, 'paper');
  expect(await page.textContent('[role=alert]')).toBe(pageTexts.en.faults.no_paper);
  await add(page, await slipOf('english'));
  expect(await heading(page)).toBe(pageTexts.en.confirm.title);
  await press(page, 'submit');
  await expect
    .poll(async () => {
      await page.reload();
      return heading(page);
    })
    .toBe(pageTexts.en.done.title);
});
