import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { anyPicture } from '../../support/people/picture.ts';
import { pageTexts } from '../../support/people/texts.ts';
import { browserOfFile, expectAccessible } from '../browser.ts';
import { heading, linkOf, pick, startWithPassport } from '../person.ts';

const harness = await startHarness();
/** A request has half of the usual time here, so that the test is short. */
const limits = {
  headersMs: 10_000,
  requestMs: 15_000,
  idleMs: 65_000,
  checkEveryMs: 500,
  connectionsMax: 100,
};
const { url } = await harness.startApi({ connections: limits });
const visit = browserOfFile({ ...harness, url });
const { key } = await harness.key();

/** With it, a photo of 2,400 pixels takes longer than another request may. */
const slowLine = { offline: false, latency: 50, downloadThroughput: -1, uploadThroughput: 90_000 };
/** Less than the lowest rate of a body. */
const hardlyAny = { ...slowLine, uploadThroughput: 2_000 };
const patience = { timeout: 120_000 };

/** Sends a photo of 2,400 pixels on such a line. Returns the widths of the photos that leave, and what changes the line. */
async function sendOn(line: typeof slowLine) {
  const { page, context } = await visit(await linkOf(harness, key, 'document_only'));
  await startWithPassport(page);
  await pick(page, await anyPicture(2_400, 1_800));
  await page.waitForSelector('.shown', { state: 'visible' });
  const widths: number[] = [];
  await page.exposeFunction('note', (width: number) => widths.push(width));
  await page.evaluate(() => {
    const { note } = globalThis as unknown as { note: (width: number) => void };
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      const picture = body instanceof FormData ? body.get('picture') : null;
      if (picture instanceof File) void createImageBitmap(picture).then(({ width }) => note(width));
      send.call(this, body);
    };
  });
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const change = (to: typeof slowLine) => session.send('Network.emulateNetworkConditions', to);
  await change(line);
  await page.click('.shown button');
  return { page, widths, change };
}

test('on a slow line a photo has the time that it needs, and arrives whole', async () => {
  const startedMs = performance.now();
  const { page, widths } = await sendOn(slowLine);
  await expect.poll(() => heading(page), patience).toBe(pageTexts.en.confirm.title);
  expect(performance.now() - startedMs).toBeGreaterThan(limits.requestMs);
  expect(widths).toEqual([2_400]);
}, 300_000);

test('a photo that hardly comes on is sent again with fewer pixels, and the person goes on', async () => {
  const { page, widths, change } = await sendOn(hardlyAny);
  await expect.poll(() => page.textContent('.told'), patience).toBe(pageTexts.en.camera.sending.slow);
  await expectAccessible(page);
  await change(slowLine);
  await expect.poll(() => heading(page), patience).toBe(pageTexts.en.confirm.title);
  expect(widths.slice(0, 2)).toEqual([2_400, 1_600]);
  const rows = await harness.rows`select distinct kind, source from evidence`;
  expect(rows).toEqual([{ kind: 'passport_page', source: 'upload' }]);
}, 300_000);
