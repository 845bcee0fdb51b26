import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** With it, pictures of the pages are written there: SCREENSHOTS="$PWD/docs/images" npm run test:browser */
const folder = process.env.SCREENSHOTS;

/** A hosted page, or one of the console. */
type Pictured = 'page' | 'console';

/** A long history would make a picture of which nobody can read anything. */
const tallestPx = 2_600;

/** Keeps a picture of the whole page for the documents, or of its beginning. */
export async function keepPicture(page: Page, name: string, of: Pictured = 'page'): Promise<void> {
  if (folder === undefined) return;
  // So tall that nothing has to stay at the bottom of the screen.
  const before = page.viewportSize();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (before)
    await page.setViewportSize({ ...before, height: Math.min(Math.max(height, before.height), tallestPx) });
  await write(page, `${of}-${name}`, 32);
  if (before) await page.setViewportSize(before);
}

/** Keeps a picture of what the screen shows, with a photograph in it. */
export async function keepScreen(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await write(page, `page-${name}`, 64);
}

async function write(page: Page, name: string, colours: number): Promise<void> {
  const picture = await page.screenshot();
  await mkdir(`${folder}`, { recursive: true });
  const small = sharp(picture).png({ palette: true, colours, compressionLevel: 9, effort: 10 });
  await writeFile(`${folder}/${name}.png`, await small.toBuffer());
}
