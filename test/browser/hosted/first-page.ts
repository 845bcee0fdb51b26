import type { Page } from 'playwright-core';

/** A slow phone line: 400 kbit/s, and 400 ms until the first byte of an answer. */
const slowLine = { offline: false, downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400 };

export type Loaded = {
  /** What came over the line, headers included. */
  bytes: number;
  requests: number;
  /** When the text of the page was first painted, and when everything had arrived, after the press on the link. */
  paintedMs: number;
  loadedMs: number;
};

/** Opens a page over a slow line with nothing in the cache. */
export async function openedSlowly(page: Page, url: string): Promise<Loaded> {
  const session = await page.context().newCDPSession(page);
  const loaded = { bytes: 0, requests: 0 };
  session.on('Network.requestWillBeSent', () => loaded.requests++);
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    loaded.bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', slowLine);
  await page.goto(url, { waitUntil: 'networkidle' });
  const times = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const paint = performance.getEntriesByName('first-contentful-paint')[0];
    return {
      paintedMs: Math.round(paint?.startTime ?? 0),
      loadedMs: Math.round(navigation?.loadEventEnd ?? 0),
    };
  });
  return { ...loaded, ...times };
}
