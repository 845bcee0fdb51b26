import { chromium } from 'playwright-core';
import { executable, flags } from '../program.ts';
import { openedSlowly } from './first-page.ts';

/**
 * Measures how long a phone with a line of 400 kbit/s waits for the first page: `node measure-first-page.ts LINK` in this folder, with
 * the link of a verification of a product that runs, for example by `npm start`.
 */
const [link] = process.argv.slice(2);
if (link === undefined) throw new Error('Usage: node measure-first-page.ts LINK');
const browser = await chromium.launch({ executablePath: await executable(), args: [...flags] });
try {
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const context = await browser.newContext(phone);
  for (let time = 1; time <= 5; time++) {
    const page = await context.newPage();
    const { bytes, requests, paintedMs, loadedMs } = await openedSlowly(page, link);
    console.log(
      `${requests} requests, ${(bytes / 1_000).toFixed(1)} KB: text after ${paintedMs} ms, all after ${loadedMs} ms`,
    );
    await page.close();
  }
} finally {
  await browser.close();
}
