import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { browserOfFile } from '../browser.ts';
import { linkOf } from '../person.ts';
import { openedSlowly } from './first-page.ts';

const harness = await startHarness();
const visit = browserOfFile(harness);
const { key } = await harness.key();

/**
 * On a line of 400 kbit/s with 400 ms until the first byte, 50 KB take a second. Page and style sheet come one after the other, which
 * leaves time for 90 KB within three seconds. The time itself is measured by `measure-first-page.ts`.
 */
const bytesMax = 45_000;
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** A computer also loads the code for a phone, and asks where the phone is. */
const devices = [
  ['phone', phone, 12],
  ['computer', {}, 14],
] as const;

test.each(devices)(
  'on a %s, the first page is so small, in so few parts, that a slow line brings it within three seconds',
  async (_, device, requestsMax) => {
    const { page } = await visit('/verify/nothing', device);
    const link = await linkOf(harness, key, 'document_liveness');
    const { bytes, requests } = await openedSlowly(page, harness.url + link);
    expect(requests).toBeLessThanOrEqual(requestsMax);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    // Fewer would mean that something was not counted.
    expect(requests).toBeGreaterThan(2);
    expect(bytes).toBeGreaterThan(5_000);
  },
);
