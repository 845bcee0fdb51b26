import { expect, test } from 'vitest';
import { startIncomeOffice } from '../../integration/reviews/income.ts';
import { startHarness } from '../../support/harness.ts';
import { changedLater } from '../../support/specimens/income/small/changes.ts';
import { slipOf } from '../../support/specimens/income/small/paper.ts';
import { look, startConsoleInBrowser } from './console.ts';

const harness = await startHarness();
const { signedIn, url } = await startConsoleInBrowser(harness);
const office = await startIncomeOffice(harness);

test.each(['en', 'nl'] as const)(
  'in %s, a reviewer sees the pages of a payslip that was changed, with marks that lie on them, and can enlarge a page',
  async (language) => {
    const slip = await slipOf('labels to the left', {}, { defaultStyle: { font: 'Courier', fontSize: 8 } });
    const id = await office.sent([changed(slip), Buffer.from('%PDF-1.7 no more than a beginning')]);
    const { page } = await signedIn({ org: office.org, role: 'reviewer' });
    await harness.rows`update members set language = ${language}`;
    await page.goto(`${url}/review`);
    await page.click(`form[action="/review/${id}/claim"] button`);
    await page.waitForURL(`**/review/${id}`);
    await look(page, `income-review-${language}`);
    const sheet = page.locator('figure.sheet').first();
    const [picture, drawing] = [
      await sheet.locator('img').boundingBox(),
      await sheet.locator('svg').boundingBox(),
    ];
    expect(drawing).toEqual(picture);
    expect(await sheet.locator('rect').count()).toBeGreaterThan(0);
    await sheet.locator('a.open').click();
    const enlarged = page.locator('dialog img');
    await enlarged.waitFor();
    for (let times = 0; times < 3; times++) await page.keyboard.press('+');
    expect((await enlarged.boundingBox())?.width).toBeGreaterThan(picture?.width ?? 0);
    await look(page, `income-page-${language}`);
    await page.keyboard.press('Escape');
    expect(await enlarged.isVisible()).toBe(false);
  },
);

/** A slip whose print was changed at the end of the file. */
const changed = (slip: Buffer): Buffer => changedLater(slip, hex('2.684,44'), hex('9.684,44'));
const hex = (text: string) => Buffer.from(text).toString('hex');
