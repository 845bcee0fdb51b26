import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../support/harness.ts';
import { browserOfFile, expectAccessible } from './browser.ts';

const harness = await startHarness({ worker: false });
const visit = browserOfFile(harness);

const devices: [string, BrowserContextOptions][] = [
  ['a phone by night', { viewport: { width: 360, height: 740 }, isMobile: true, colorScheme: 'dark' }],
  ['a desk by day', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
];

test.each(devices)(
  'on %s the reference shows the operations, is accessible and asks no other host',
  async (_, device) => {
    const { page, surprises } = await visit('/docs', device);
    for (const name of ['Start a verification', 'List verifications', 'Retrieve a verification'])
      await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByRole('navigation').getByText('List verifications').click();
    expect(new URL(page.url()).hash).toBe('#listVerifications');
    await expectAccessible(page);
    expect(surprises).toEqual([]);
  },
);
